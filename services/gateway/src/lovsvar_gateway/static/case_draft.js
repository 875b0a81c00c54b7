// A draft of a case: what stands for a party is put into the text with one press.

const box = document.getElementById("markdown");

for (const button of document.querySelectorAll("[data-put]")) {
  button.disabled = false;
  button.addEventListener("click", () => {
    box.focus();
    box.setRangeText(button.dataset.put, box.selectionStart, box.selectionEnd, "end");
  });
}
