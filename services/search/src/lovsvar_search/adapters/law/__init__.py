"""The law in PostgreSQL (`adapters/sql`), its everyday questions and topics in memory, and the learnt trees."""
