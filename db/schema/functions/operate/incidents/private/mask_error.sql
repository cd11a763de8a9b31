create or replace function tasker.mask_error(p_error text)
  returns text
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_head  text := tasker.error_head(p_error);
  v_class text := substring(v_head from '\[class=([A-Za-z0-9_.:-]{1,64})\]');
  v_text  text := regexp_replace(left(v_head, 600), '\s+', ' ', 'g');
begin
  -- A worker knows the class of its failure better than a mask does.
  if v_class is not null then
    return v_class;
  end if;
  -- Replace an address by its host.
  v_text := regexp_replace(
    v_text, '(https?|amqps?|postgres(?:ql)?|redis|wss?|grpc)://(?:[^\s/@"'']*@)?([^\s/?#"'',)]+)[^\s"'',)]*', '\1://\2', 'g'
  );
  -- Keep the digits of a status code, because 503 is another cause than 429. They are marked with ~ until the end.
  v_text := regexp_replace(v_text, '''([1-5])([0-9])([0-9]) ([A-Z][A-Za-z ]*)''', '~\1~\2~\3 \4', 'g');
  v_text := regexp_replace(
    v_text,
    '\m((?:http|status|code|statuscode|returned|response|answered|error|got|exit|unexpected)(?:/[0-9.]+)?(?: ?(?:status|code))?[ :=(#"'']{1,3})([1-5])([0-9])([0-9])(?![0-9A-Za-z.]|, ?[0-9])',
    '\1~\2~\3~\4', 'gi'
  );
  v_text := regexp_replace(
    v_text, 'SQLSTATE ([0-9A-Z])([0-9A-Z])([0-9A-Z])([0-9A-Z])([0-9A-Z])', 'SQLSTATE ~\1~\2~\3~\4~\5', 'g'
  );
  -- Keep the names of columns, tables and keys, and words_like_this.
  v_text := regexp_replace(
    v_text,
    '\m(columns?|method|variable|relation|table|constraint|index|function|field|property|attribute|KeyError:|reading|setting|key|parameter|argument|module named|module|type|role|schema|queue|exchange|handler|signal|extension|operator|label|service|bucket) ["''`]([A-Za-z_][A-Za-z_.]{0,60})["''`]',
    '\1 \2', 'gi'
  );
  v_text := regexp_replace(v_text, '["''`]([a-z]+(?:_[a-z]+)+)["''`]', '\1', 'g');
  -- Mask quoted text, mail addresses, text in braces, and every word with a digit.
  v_text := regexp_replace(v_text, '"[^"]*"|`[^`'']*[`'']|“[^”]*”|«[^»]*»|「[^」]*」|(?<![A-Za-z])''[^'']*''', '#', 'g');
  v_text := regexp_replace(v_text, '[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+', '#', 'g');
  v_text := regexp_replace(v_text, '\{[^{}]*\}|\[[^][]*[0-9#][^][]*\]', '#', 'g');
  v_text := regexp_replace(v_text, '[A-Za-z0-9_.:/+%-]*(?<!~)[0-9][A-Za-z0-9_.:/+%-]*', '#', 'g');
  -- Replace pairs and lists of masks by one mask.
  v_text := regexp_replace(v_text, '\(# ?\)|\(#(?:, #)+\)', '#', 'g');
  v_text := regexp_replace(v_text, '#(?:(?:,| |;|-|=|:| and )*#)+', '#', 'g');
  v_text := regexp_replace(v_text, '~([0-9A-Z])', '\1', 'g');
  return left(btrim(v_text), 300);
end;
$$;

comment on function tasker.mask_error is
$$Returns an error without the parts that vary from failure to failure. Numbers, identifiers, addresses, quoted text and
times become "#", so that failures of one cause have one text. Reads 600 characters and returns at most 300 characters.
Keeps the status code of an answer, an SQLSTATE, the host of an address and the names of columns and tables.

If the head of the text has [class=NAME], returns NAME, because the worker has named the class of the failure.$$;
