-- The default model has learnt more of what people mean by their questions: vectors that it made of everyday questions
-- before cannot be compared with new ones. Those that come with the package are stored at the next start, and indexed at
-- once: into an index that is there they would go one by one.
DELETE FROM embeddings WHERE kind = 'question' AND model = 'multilingual-e5-small-q4';
DO $$
BEGIN
    EXECUTE format(
        'DROP INDEX IF EXISTS %I', 'embeddings_' || left(md5('multilingual-e5-small-q4'), 12) || '_question'
    );
END
$$;
