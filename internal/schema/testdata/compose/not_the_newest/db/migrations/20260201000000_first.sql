-- migrate:up

-- migrate:down
