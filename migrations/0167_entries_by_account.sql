-- What was read by account and order is kept in `open_balances`; the index of 0166 has the rest. In a transaction of its own, because
-- readers wait for it. Module: features/ledger.
drop index ledger_entries_balance_of_order;
