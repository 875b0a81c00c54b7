"""Errors of the search service.

SearchError              base
├── NotReady             the index does not yet serve a corpus
├── NotFound             a document does not exist, or has no such provision
├── ReplyTooLarge        what was asked for does not fit in one reply
├── StoreUnavailable     the database does not answer, or not as it should
│   └── NothingStored    the database has no such table
├── BadCatalogue         what a catalogue says of itself cannot be read
├── MeaningUnavailable   no vector can be made of a question
└── IndexUnusable        the index on disk is damaged, or made for other code
"""


class SearchError(Exception):
    """Base of everything that this service raises on purpose. Its words are Norwegian: users read them."""


class NotReady(SearchError):
    """The index does not yet serve a corpus. Remedy: wait, or bring in a corpus when there is none."""


class NotFound(SearchError):
    """A document does not exist, or has no such provision. Remedy: search, or resolve the reference first."""


class ReplyTooLarge(SearchError):
    """What was asked for does not fit in one reply. Remedy: ask for less at a time."""


class StoreUnavailable(SearchError):
    """The database does not answer. Remedy: retry; nothing is lost."""


class NothingStored(StoreUnavailable):
    """The database has no such table: nothing was ever stored, or it was taken away. Remedy: start ingest."""


class IndexUnusable(SearchError):
    """The index on disk is damaged, or made for other code. Remedy: build it again from the database."""


class BadCatalogue(SearchError):
    """What a catalogue says of itself cannot be read. Remedy: mend its file and sync it; the others are served."""


class MeaningUnavailable(SearchError):
    """No vector can be made of a question. Remedy: none is needed, the words are searched; see the embedder."""
