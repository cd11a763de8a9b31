-- down: select tasker.drop_own_pgmq();
select tasker.settle_pgmq();
