create table tasker.workers (
  worker_uuid        uuid                   not null,
  name               tasker.worker_name     not null,
  login              text                   not null  default session_user,
  role               text,
  namespaces         text[]                 not null  default '{}',
  handlers           text[],
  registered_at      timestamptz            not null  default tasker.clock(),
  last_seen_at       timestamptz            not null  default tasker.clock(),
  claimed_count      bigint                 not null  default 0,
  request_uuid       uuid,
  request_steps      uuid[],
  request_claim_nos  integer[],
  request_begun      integer,
  waiting_steps      uuid[],
  may_serve          text[],
  suspect_step       uuid,
  suspect_claim_no   integer,
  version            tasker.worker_version,

  constraint workers_pkey
    primary key (worker_uuid),
  constraint workers_row_check
    check (claimed_count >= 0 and cardinality(request_steps) = cardinality(request_claim_nos))
) with (fillfactor = 50);

comment on table tasker.workers is
  'Worker processes, by the UUID that their claims carry.';

comment on column tasker.workers.login is
  'The role that was logged in when the worker was registered, with the role that it had set in "role" if that is another. Other roles may not work under the worker''s UUID.';
comment on column tasker.workers.may_serve is
  'The namespaces that the registering session was bound to, whichever namespaces the worker names. Null if that session was not bound.';
comment on column tasker.workers.handlers is
  'The handlers of the worker. Null if the worker has named none. It may then run steps of any handler.';
comment on column tasker.workers.request_uuid is
  'The UUID of the newest claim request that had one. The column request_steps has the steps that this claim handed out. A repetition of the request gets the same steps.';
comment on column tasker.workers.request_begun is
  'The number of request_steps that the worker could begin at once. The other steps waited for a handler. Null means all steps.';
comment on column tasker.workers.waiting_steps is
  'The steps of earlier claims that still waited for a free handler at the worker''s newest exchange.';
comment on column tasker.workers.suspect_step is
  'The suspect (tasker.start_suspect) that the worker began last. It began under the claim number suspect_claim_no, and may have ended since.';
comment on column tasker.workers.version is
  'The version of the worker''s program, as the worker reports it. Null if the worker reports no version. The log names the worker of each claim, so that this version can be found for the claim. Each process has its own UUID, so the version of a claim does not change.';

create index workers_suspect_idx
  on tasker.workers (regexp_replace(name, '#[0-9]+$', ''))
  where suspect_step is not null;

comment on index tasker.workers_suspect_idx is
  'Serves tasker.start_suspect: the suspects of one process, whose workers have one name with a number.';
