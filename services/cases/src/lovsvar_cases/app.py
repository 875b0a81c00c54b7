"""Wiring of the cases service."""

from lovsvar_cases.adapters.announced_cases import AnnouncedCases
from lovsvar_cases.adapters.database import CaseDatabase
from lovsvar_cases.adapters.document_press import DocumentPress
from lovsvar_cases.adapters.grants import SealedGrants
from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.adapters.law_sql import PostgresLawSql
from lovsvar_cases.adapters.postgres_credit import PostgresCredit, PostgresTickets
from lovsvar_cases.adapters.postgres_documents import PostgresDocuments
from lovsvar_cases.adapters.postgres_drafts import PostgresDrafts
from lovsvar_cases.adapters.postgres_keys import PostgresKeys
from lovsvar_cases.adapters.readers.child_reader import ChildReader
from lovsvar_cases.adapters.search_law import SearchLaw
from lovsvar_cases.adapters.template_files import read_templates
from lovsvar_cases.adapters.tier_file import read_case_texts, read_tiers
from lovsvar_cases.adapters.webhooks import make_verifier
from lovsvar_cases.core.case_tools import OWN_TOOLS, CaseTools
from lovsvar_cases.core.drafts.drafting import DraftDesk
from lovsvar_cases.core.drafts.shelf import Shelf
from lovsvar_cases.core.drafts.tools import draft_tools
from lovsvar_cases.core.files.ports import DocumentDesk
from lovsvar_cases.core.files.tools import document_tools
from lovsvar_cases.core.law_queries import law_tools
from lovsvar_cases.core.run_tools import run_tools
from lovsvar_cases.document_reading import DocumentReading
from lovsvar_cases.handlers import SENDS, Parts, refusing, requests
from lovsvar_cases.manifest import MANIFEST, SCHEMA
from lovsvar_cases.retention import Retention
from lovsvar_cases.settings import Settings
from lovsvar_cases.template_check import TemplateCheck
from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import INTERACTIVE
from lovsvar_chassis.migrations import Migrations
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.sealing import SealedDesk
from lovsvar_chassis.service import Service

TOOLS = OWN_TOOLS
"""What a model may do in a case. A module that brings tools has its line here."""


def build(settings: Settings) -> Service:
    """Return the service, not yet started. Without a master key it runs and answers that it is not configured."""
    broker = make_broker(settings, MANIFEST.name)
    if (key := settings.master_key()) is None:
        missing = {"configured": {"master_key": False}}
        return Service(MANIFEST.name, settings, broker, refusing(), sends=SENDS, details=lambda: missing)
    migrations = Migrations(settings.database_url, SCHEMA)
    database = _database(settings)
    keys = (key, *settings.other_master_keys())
    master, monthly = MasterKey(*keys), settings.monthly_credits
    store = AnnouncedCases(EventPublisher(broker), database, master, monthly)
    accounts, definitions = PostgresCredit(database, monthly), read_tiers()
    secret = settings.cases_webhook_secret
    grants = SealedGrants(*keys)
    law, shelf = SearchLaw(Requester(broker)), Shelf(read_templates())
    drafts = DraftDesk(store, PostgresDrafts(database, master, store), law, DocumentPress(), shelf)
    password = settings.cases_sql_password
    law_sql = PostgresLawSql(settings.database_url, password.get_secret_value().strip() if password else None)
    limits, at_once = settings.document_limits, settings.cases_documents_at_once
    documents = DocumentDesk(store, PostgresDocuments(database, master), ChildReader(limits, at_once), limits)
    parts = Parts(
        store=store,
        accounts=accounts,
        tickets=PostgresTickets(database, master),
        definitions=definitions,
        translations=read_case_texts(),
        verify=make_verifier(secret.get_secret_value().strip() if secret else None),
        grants=grants,
        tools=CaseTools(
            store,
            accounts,
            grants,
            (*TOOLS, *draft_tools(drafts), *law_tools(law_sql), *document_tools(documents)),
            run_tools(definitions),
        ),
        drafts=drafts,
        documents=documents,
        keys=PostgresKeys(database, master),
    )

    retention = (Retention(store, settings.cases_retention_days),) if settings.cases_retention_days else ()

    def not_ready() -> str:
        return "" if migrations.done else "Databasen gjøres klar."

    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=requests(parts, SealedDesk(*keys)),
        sends=SENDS,
        parts=(migrations, database, law_sql),
        workers=(TemplateCheck(shelf, law), DocumentReading(documents, at_once), *retention),
        not_ready=not_ready,
        details=lambda: {"configured": {"master_key": True, "payment": secret is not None}},
    )


def _database(settings: Settings) -> CaseDatabase:
    """Return the pool of connections, which is waited for by who asks, not at the start."""
    return CaseDatabase(
        settings.database_url,
        settings.database_pool,
        {"search_path": SCHEMA.name},
        limits=INTERACTIVE,
        min_size=0,
        stateless=True,
    )


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
