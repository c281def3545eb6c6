DROP TRIGGER audit_logs_counted_of;
--> statement-breakpoint
DROP TRIGGER audit_logs_counted_by;
--> statement-breakpoint
CREATE TABLE `audit_people` (
	`user_id` integer NOT NULL,
	`log_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `log_id`)
);
--> statement-breakpoint
DROP INDEX `audit_logs_subject`;
--> statement-breakpoint
DROP INDEX `audit_logs_user`;
--> statement-breakpoint
DROP INDEX `audit_logs_by_action`;
--> statement-breakpoint
DROP INDEX `audit_logs_by_subject`;
--> statement-breakpoint
DROP INDEX `audit_logs_by_effect`;
--> statement-breakpoint
ALTER TABLE `audit_logs` ADD `others` integer GENERATED ALWAYS AS (case
        when subject in ('user', 'badge award') then subject_id is not performed_by
        when subject in ('group', 'portal') then 1
        when subject = 'announcement' then 0
        else coalesce(details ->> '$.userId', details ->> '$.user_id', performed_by) is not performed_by
          or coalesce(nullif(details -> '$.user_ids', '[]'), json_array(performed_by)) is not json_array(performed_by)
      end) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `audit_logs` DROP COLUMN `user_id`;
--> statement-breakpoint
CREATE TRIGGER audit_logs_counted_by AFTER INSERT ON audit_logs
WHEN new.performed_by IS NOT NULL BEGIN
  INSERT INTO audit_tallies (audience, period, action, subject, total)
  VALUES
    ('by:' || new.performed_by, '', new.action, new.subject, 1)
  ON CONFLICT (audience, period, action, subject) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_people AFTER INSERT ON audit_logs
WHEN new.others BEGIN
  INSERT INTO audit_people (user_id, log_id)
  SELECT DISTINCT value, new.id
  FROM (
    SELECT new.subject_id AS value WHERE new.subject IN ('user', 'badge award')
    UNION ALL SELECT coalesce(new.details ->> '$.userId', new.details ->> '$.user_id')
    UNION ALL
    SELECT member.value
    FROM json_each(new.details) AS list
      CROSS JOIN json_each(iif(list.type = 'array', list.value, '[]')) AS member
    WHERE list.key IN ('user_ids', 'add_user_ids', 'remove_user_ids', 'member_ids', 'add_member_ids', 'remove_member_ids', 'admin_ids')
  )
  WHERE typeof(value) = 'integer' AND value IS NOT new.performed_by;
END;
--> statement-breakpoint
-- The rows that are there already.
INSERT INTO audit_people (user_id, log_id)
  SELECT DISTINCT value, id
  FROM (
    SELECT id, performed_by, subject_id AS value FROM audit_logs WHERE others AND subject IN ('user', 'badge award')
    UNION ALL
    SELECT id, performed_by, coalesce(details ->> '$.userId', details ->> '$.user_id') FROM audit_logs WHERE others
    UNION ALL
    SELECT audit_logs.id, audit_logs.performed_by, member.value
    FROM audit_logs
      CROSS JOIN json_each(audit_logs.details) AS list
      CROSS JOIN json_each(iif(list.type = 'array', list.value, '[]')) AS member
    WHERE audit_logs.others AND list.key IN ('user_ids', 'add_user_ids', 'remove_user_ids', 'member_ids', 'add_member_ids', 'remove_member_ids', 'admin_ids')
  )
  WHERE typeof(value) = 'integer' AND value IS NOT performed_by;
--> statement-breakpoint
DELETE FROM audit_tallies WHERE audience LIKE 'of:%' OR (audience LIKE 'by:%' AND period <> '');
