create or replace trigger broadcasts_react
  after insert on tasker.broadcasts
  referencing new table as emitted
  for each row when (new.reacts)
  execute function tasker.react_to_events();

comment on trigger broadcasts_react on tasker.broadcasts is
  'Starts and cancels the tasks of templates that name the events.';
