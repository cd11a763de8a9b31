-- migrate:up transaction:false
select 1;
-- migrate:down
