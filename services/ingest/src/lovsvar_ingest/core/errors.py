"""Errors of the ingest service, all of them derived from `IngestError`."""


class IngestError(Exception):
    """Base of everything that this service raises on purpose. The words are Norwegian: people read them."""


class MalformedDocument(IngestError):
    """One file is not a Lovdata document. Remedy: none here; its earlier version, if any, is kept."""


class SourceRefused(IngestError):
    """The operator did not list the source, or it leads into a private network. Remedy: `LOVSVAR_SOURCES`."""


class SourceUnreachable(IngestError):
    """The archive cannot be fetched. Remedy: check the source's address and the network, and try again."""


class SourceUnreadable(IngestError):
    """The archive is broken, empty or larger than allowed. Remedy: another copy of it. Nothing was removed."""


class ArchiveImplausible(IngestError):
    """The archive would remove, empty or change more than is likely. Remedy: an operator accepts its checksum."""


class NoRoom(IngestError):
    """What is fetched cannot be written to this machine's disk. Remedy: room in its temporary folder."""


class SampleNotWanted(IngestError):
    """The bundled sample was asked for where real law is stored. Remedy: none needed."""


class SyncUnderWay(IngestError):
    """Another process is syncing the same data set. Remedy: wait for it."""


class StoreUnavailable(IngestError):
    """The database cannot be reached, or is being stopped. Remedy: try again later."""


class OtherModelWanted(IngestError):
    """Another model is wanted than this worker runs. Remedy: the same settings for ingest and its workers."""


class EverydayDataBroken(IngestError):
    """Lines of the everyday questions are malformed. Remedy: the message says, line by line."""


class QuestionVectorsBroken(IngestError):
    """The file with vectors of everyday questions cannot be read. Remedy: renew it; workers embed them meanwhile."""


class CatalogueBroken(IngestError):
    """The file of a catalogue has errors. Remedy: the message says, key by key."""
