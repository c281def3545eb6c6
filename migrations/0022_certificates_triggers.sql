-- Certificates: issued when a registration is Completed, and counted.

CREATE VIRTUAL TABLE certificate_templates_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER certificate_templates_inserted AFTER INSERT ON certificate_templates BEGIN
  INSERT INTO certificate_templates_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('certificate_templates', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER certificate_templates_search_changed AFTER UPDATE OF search_text ON certificate_templates
WHEN old.search_text <> new.search_text BEGIN
  UPDATE certificate_templates_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER certificate_templates_deleted AFTER DELETE ON certificate_templates BEGIN
  DELETE FROM certificate_templates_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'certificate_templates';
END;
--> statement-breakpoint

-- Whatever completes a registration issues its certificate in the same batch.
CREATE TRIGGER certificates_earned AFTER UPDATE OF status ON enrolments
WHEN old.status <> 'Completed' AND new.status = 'Completed' BEGIN
  INSERT INTO sequences (name, value)
    SELECT 'certificates', 1 FROM courses JOIN certificate_templates ON certificate_templates.id = courses.certificate_template_id
      WHERE courses.id = new.course_id
    ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO certificates (id, code, user_id, enrolment_id, course_id, template_id, course_name, instructor_name, course_credit, issued_at, expires_at, search_text)
    SELECT sequences.value, hex(randomblob(12)), new.user_id, new.id, courses.id, courses.certificate_template_id, courses.name,
      coalesce(trim(author.first_name || ' ' || author.last_name), ''), courses.course_credit, new.completed_at, new.expires_at, courses.search_text
    FROM courses JOIN certificate_templates ON certificate_templates.id = courses.certificate_template_id
      JOIN sequences ON sequences.name = 'certificates' LEFT JOIN users AS author ON author.id = courses.author_id
    WHERE courses.id = new.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_brought AFTER INSERT ON enrolments WHEN new.status = 'Completed' BEGIN
  INSERT INTO sequences (name, value)
    SELECT 'certificates', 1 FROM courses JOIN certificate_templates ON certificate_templates.id = courses.certificate_template_id
      WHERE courses.id = new.course_id
    ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO certificates (id, code, user_id, enrolment_id, course_id, template_id, course_name, instructor_name, course_credit, issued_at, expires_at, search_text)
    SELECT sequences.value, hex(randomblob(12)), new.user_id, new.id, courses.id, courses.certificate_template_id, courses.name,
      coalesce(trim(author.first_name || ' ' || author.last_name), ''), courses.course_credit, new.completed_at, new.expires_at, courses.search_text
    FROM courses JOIN certificate_templates ON certificate_templates.id = courses.certificate_template_id
      JOIN sequences ON sequences.name = 'certificates' LEFT JOIN users AS author ON author.id = courses.author_id
    WHERE courses.id = new.course_id;
END;
--> statement-breakpoint

CREATE TRIGGER certificates_inserted AFTER INSERT ON certificates BEGIN
  INSERT INTO counters (key, value) VALUES ('certificates:' || new.user_id, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
  UPDATE enrolments SET certificate_count = certificate_count + 1 WHERE id = new.enrolment_id;
  UPDATE class_enrolments SET certificate_count = certificate_count + 1 WHERE id = new.class_enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_revoked AFTER UPDATE OF revoked_at ON certificates
WHEN old.revoked_at = 0 AND new.revoked_at > 0 BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'certificates:' || new.user_id;
  UPDATE enrolments SET certificate_count = certificate_count - 1 WHERE id = new.enrolment_id;
  UPDATE class_enrolments SET certificate_count = certificate_count - 1 WHERE id = new.class_enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_deleted AFTER DELETE ON certificates WHEN old.revoked_at = 0 BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'certificates:' || old.user_id;
  UPDATE enrolments SET certificate_count = certificate_count - 1 WHERE id = old.enrolment_id;
  UPDATE class_enrolments SET certificate_count = certificate_count - 1 WHERE id = old.class_enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_user_deleted AFTER DELETE ON users BEGIN
  DELETE FROM counters WHERE key = 'certificates:' || old.id;
END;
