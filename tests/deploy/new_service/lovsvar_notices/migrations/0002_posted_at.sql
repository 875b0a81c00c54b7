ALTER TABLE notices ADD COLUMN posted_at timestamptz NOT NULL DEFAULT now();
