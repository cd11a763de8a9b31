create or replace function tasker.replace_input_bounds(p_limits integer[], p_keys text[])
  returns void
  language plpgsql
as $$
begin
  -- Another transaction may have inserted rows that are not committed. The older of its rows and these stays until the next change.
  delete from tasker.limit_input_bounds as i
   using (
     select o.limit_no, o.limit_key, o.bound_no
       from unnest(p_limits, p_keys) as u (limit_no, limit_key)
      cross join lateral (
        select i.limit_no, i.limit_key, i.bound_no
          from tasker.limit_input_bounds as i
         where i.limit_no = u.limit_no
           and i.limit_key = u.limit_key
         order by i.bound_no desc
        offset 1
           for update skip locked
      ) as o
   ) as o
   where i.limit_no = o.limit_no
     and i.limit_key = o.limit_key
     and i.bound_no = o.bound_no;
  perform tasker.open_limit_key(u.limit_no, u.limit_key) from unnest(p_limits, p_keys) as u (limit_no, limit_key);
end;
$$;

comment on function tasker.replace_input_bounds is
$$Deletes the bounds from inputs that newer bounds of the same keys replace, except rows that another transaction holds. Opens the keys to the next claim.$$;
