-- down: nothing
create table tasker_pgmq.topic_bindings (
  pattern         text         not null,
  queue_name      text         not null,
  bound_at        timestamptz  not null  default now(),
  compiled_regex  text         generated always as (
    '^' || replace(replace(replace(pattern, '.', '\.'), '*', '[^.]+'), '#', '.*') || '$'
  ) stored,

  constraint topic_bindings_unique_pattern_queue
    unique (pattern, queue_name),
  constraint topic_bindings_meta_queue_name_fk
    foreign key (queue_name) references tasker_pgmq.meta (queue_name) on delete cascade
);

create index topic_bindings_queue_idx on tasker_pgmq.topic_bindings (queue_name);

comment on table tasker_pgmq.topic_bindings is
  'Which queues get the messages of which routing keys: * stands for one segment, # for any rest.';
comment on index tasker_pgmq.topic_bindings_queue_idx is
  'Serves dropping a queue and listing its bindings.';

revoke all on table tasker_pgmq.topic_bindings from public;
grant select on table tasker_pgmq.topic_bindings to pg_monitor;
