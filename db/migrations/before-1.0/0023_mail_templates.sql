-- How administrators dress the four mails that may be dressed: every saving is a version, the latest is what real mails wear.
CREATE TABLE mailer.template_versions (
  template text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  customizations jsonb NOT NULL CHECK (jsonb_typeof(customizations) = 'object'),
  user_id bigint NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (template, version)
);

-- What once went out to people stays to be seen.
CREATE FUNCTION mailer.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'mailer.template_versions is only ever added to';
END $$;
CREATE TRIGGER template_versions_added_to BEFORE UPDATE OR DELETE ON mailer.template_versions
  FOR EACH ROW EXECUTE FUNCTION mailer.refuse_change();
