-- queues: a section that was there once
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up

-- migrate:down
