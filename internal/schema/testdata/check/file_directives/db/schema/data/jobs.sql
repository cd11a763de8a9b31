-- down:
insert into tasker.jobs (lane) values ('high');
