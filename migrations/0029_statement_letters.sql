-- Whose account moved in a month is found by the postings of that month, not by walking through all accounts. Room: features/reports.
create index ledger_txs_posted on ledger_txs (posted_at);
