// The page of a saved answer.

import { prepareAnswer } from "./answer.js";

prepareAnswer(document.getElementById("svar"));
