-- Addresses that a virtual machine still runs with though its settings say others by now, and since when it runs: they are its own
-- until its next start, also over a restart of ours. JSON; NULL for none.
ALTER TABLE guest_addresses ADD COLUMN replaced TEXT;
