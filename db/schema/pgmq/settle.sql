-- down: select tasker.drop_own_pgmq();
-- As in the extension, a role that may use the schema may execute its functions.
grant execute on all functions in schema tasker_pgmq to public;
select tasker.settle_pgmq();
