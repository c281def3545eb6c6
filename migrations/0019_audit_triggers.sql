-- The audit log: kept counts of it, and that it is only ever added to.

CREATE TRIGGER audit_logs_counted AFTER INSERT ON audit_logs BEGIN
  INSERT INTO audit_tallies (audience, period, action, subject, total) VALUES
    ('all', '', '', '', 1),
    ('all', 'm:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch'), '', '', 1),
    ('all', 'd:' || date(new.created_at / 1000, 'unixepoch'), '', '', 1),
    ('all', '', new.action, new.subject, 1),
    ('all', 'm:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch'), new.action, new.subject, 1),
    ('all', 'd:' || date(new.created_at / 1000, 'unixepoch'), new.action, new.subject, 1)
    ON CONFLICT (audience, period, action, subject) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_counted_of AFTER INSERT ON audit_logs WHEN new.user_id IS NOT NULL BEGIN
  INSERT INTO audit_tallies (audience, period, action, subject, total) VALUES
    ('of:' || new.user_id, '', new.action, new.subject, 1),
    ('of:' || new.user_id, 'm:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch'), new.action, new.subject, 1)
    ON CONFLICT (audience, period, action, subject) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_counted_by AFTER INSERT ON audit_logs WHEN new.performed_by IS NOT NULL BEGIN
  INSERT INTO audit_tallies (audience, period, action, subject, total) VALUES
    ('by:' || new.performed_by, '', new.action, new.subject, 1),
    ('by:' || new.performed_by, 'm:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch'), new.action, new.subject, 1)
    ON CONFLICT (audience, period, action, subject) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_kept BEFORE DELETE ON audit_logs BEGIN
  SELECT RAISE(ABORT, 'An audit row is never deleted.');
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_fixed BEFORE UPDATE ON audit_logs BEGIN
  SELECT RAISE(ABORT, 'An audit row is never changed.');
END;
--> statement-breakpoint

-- The rows that are there already.
INSERT INTO audit_tallies (audience, period, action, subject, total)
  SELECT of.audience, of.period, of.action, of.subject, count(*) FROM (
    SELECT audience.value AS audience, period.value AS period,
        iif(total.value, '', action) AS action, iif(total.value, '', subject) AS subject
      FROM audit_logs
        CROSS JOIN json_each(json_array('all', 'of:' || user_id, 'by:' || performed_by)) AS audience
        CROSS JOIN json_each(json_array('', 'm:' || strftime('%Y-%m', created_at / 1000, 'unixepoch'), 'd:' || date(created_at / 1000, 'unixepoch'))) AS period
        CROSS JOIN json_each(json_array(0, 1)) AS total
      WHERE audience.value = 'all' OR (audience.value IS NOT NULL AND total.value = 0 AND period.value NOT LIKE 'd:%')) AS of
  GROUP BY 1, 2, 3, 4;
