-- down: delete from tasker.jobs;
insert into tasker.jobs (lane) values ('high');
