create or replace function tasker.join_holds(
  p_join_mode          text,
  p_total_parents      integer,
  p_pending_parents    integer,
  p_satisfied_parents  integer
)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select (p_pending_parents = 0 or p_join_mode = 'first')
     and case p_join_mode
           when 'any' then p_satisfied_parents > 0 or p_total_parents = 0
           when 'settled' then true
           when 'first' then p_satisfied_parents > 0
           else p_satisfied_parents = p_total_parents
         end;
end;

comment on function tasker.join_holds is
$$Returns true if a step with these parents may run: all parents have settled, and the step's join is satisfied. With the join "first", one parent that satisfies the join is enough. If all parents have settled and the join is not satisfied, the step has to be skipped.$$;
