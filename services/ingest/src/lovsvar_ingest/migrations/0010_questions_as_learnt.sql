-- The default model embeds questions otherwise than before: it has learnt what people mean by them. Vectors of everyday
-- questions that it made before cannot be compared with new ones; those that come with the package are stored at the next start.
DELETE FROM embeddings WHERE kind = 'question' AND model = 'multilingual-e5-small-q4';
