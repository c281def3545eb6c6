CREATE TRIGGER media_deleted_event AFTER DELETE ON media BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'media.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.uploaded_by, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_inserted_event AFTER INSERT ON api_keys BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'api_key.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.created_by, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_updated_event AFTER UPDATE OF name, role, access, expires_at, generation, families, scopes ON api_keys
WHEN (old.name IS NOT new.name OR old.role IS NOT new.role OR old.access IS NOT new.access OR old.expires_at IS NOT new.expires_at OR old.generation IS NOT new.generation OR old.families IS NOT new.families OR old.scopes IS NOT new.scopes) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.generation <> new.generation THEN 'api_key.rotated'
    ELSE 'api_key.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.created_by, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.role IS new.role, '', ',"role":' || json_quote(old.role))
    || iif(old.access IS new.access, '', ',"access":' || json_quote(old.access))
    || iif(old.expires_at IS new.expires_at, '', ',"expiresAt":' || json_quote(old.expires_at)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_deleted_event AFTER DELETE ON api_keys BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'api_key.revoked', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.created_by, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_inserted_event AFTER INSERT ON webhooks BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'webhook.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_updated_event AFTER UPDATE OF enabled, url, events ON webhooks
WHEN (old.enabled IS NOT new.enabled OR old.url IS NOT new.url OR old.events IS NOT new.events) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.enabled AND NOT new.enabled THEN 'webhook.disabled'
    ELSE 'webhook.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, '{' || substr(iif(old.enabled IS new.enabled, '', ',"enabled":' || json_quote(old.enabled)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_deleted_event AFTER DELETE ON webhooks BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'webhook.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER sso_providers_inserted_event AFTER INSERT ON sso_providers BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'sso_provider.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER sso_providers_updated_event AFTER UPDATE OF name, slug, portal_id, active, version ON sso_providers
WHEN (old.name IS NOT new.name OR old.slug IS NOT new.slug OR old.portal_id IS NOT new.portal_id OR old.active IS NOT new.active OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'sso_provider.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.slug IS new.slug, '', ',"slug":' || json_quote(old.slug))
    || iif(old.portal_id IS new.portal_id, '', ',"portalId":' || json_quote(old.portal_id))
    || iif(old.active IS new.active, '', ',"active":' || json_quote(old.active)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER sso_providers_deleted_event AFTER DELETE ON sso_providers BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'sso_provider.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_user_deleted AFTER DELETE ON users BEGIN
  DELETE FROM external_ids WHERE object = 'user' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_course_deleted AFTER DELETE ON courses BEGIN
  DELETE FROM external_ids WHERE object = 'course' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_group_deleted AFTER DELETE ON groups BEGIN
  DELETE FROM external_ids WHERE object = 'group' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_class_deleted AFTER DELETE ON classes BEGIN
  DELETE FROM external_ids WHERE object = 'class' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_updated_at AFTER UPDATE OF first_name, last_name, email, user_type, disabled, display_name, deprovisioned, avatar, internal_note, time_zone, language, source_id, membership_id, membership_expires_at, version, created_at ON users
WHEN new.updated_at = old.updated_at
AND (
  old.first_name IS NOT new.first_name
  OR old.last_name IS NOT new.last_name
  OR old.email IS NOT new.email
  OR old.user_type IS NOT new.user_type
  OR old.disabled IS NOT new.disabled
  OR old.display_name IS NOT new.display_name
  OR old.deprovisioned IS NOT new.deprovisioned
  OR old.avatar IS NOT new.avatar
  OR old.internal_note IS NOT new.internal_note
  OR old.time_zone IS NOT new.time_zone
  OR old.language IS NOT new.language
  OR old.source_id IS NOT new.source_id
  OR old.membership_id IS NOT new.membership_id
  OR old.membership_expires_at IS NOT new.membership_expires_at
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE users SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_updated_at AFTER UPDATE OF user_id, course_id, status, percent, done, group_id, enrolled_by, registered_at, started_at, completed_at, expires_at, cycle, due_at, due_soon_at, overdue_at, due_status, due_rule_id ON enrollments
WHEN new.updated_at = old.updated_at
AND (
  old.user_id IS NOT new.user_id
  OR old.course_id IS NOT new.course_id
  OR old.status IS NOT new.status
  OR old.percent IS NOT new.percent
  OR old.done IS NOT new.done
  OR old.group_id IS NOT new.group_id
  OR old.enrolled_by IS NOT new.enrolled_by
  OR old.registered_at IS NOT new.registered_at
  OR old.started_at IS NOT new.started_at
  OR old.completed_at IS NOT new.completed_at
  OR old.expires_at IS NOT new.expires_at
  OR old.cycle IS NOT new.cycle
  OR old.due_at IS NOT new.due_at
  OR old.due_soon_at IS NOT new.due_soon_at
  OR old.overdue_at IS NOT new.overdue_at
  OR old.due_status IS NOT new.due_status
  OR old.due_rule_id IS NOT new.due_rule_id
) BEGIN
  UPDATE enrollments SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER courses_updated_at AFTER UPDATE OF name, slug, status, content, instructions, featured_image_url, author_id, certificate_template_id, estimated_minutes, expires_after_days, total_seats, self_enroll, enrollment_key, enable_course_rating, course_credit, rating_sum, rating_count, version, created_at ON courses
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.slug IS NOT new.slug
  OR old.status IS NOT new.status
  OR old.content IS NOT new.content
  OR old.instructions IS NOT new.instructions
  OR old.featured_image_url IS NOT new.featured_image_url
  OR old.author_id IS NOT new.author_id
  OR old.certificate_template_id IS NOT new.certificate_template_id
  OR old.estimated_minutes IS NOT new.estimated_minutes
  OR old.expires_after_days IS NOT new.expires_after_days
  OR old.total_seats IS NOT new.total_seats
  OR old.self_enroll IS NOT new.self_enroll
  OR old.enrollment_key IS NOT new.enrollment_key
  OR old.enable_course_rating IS NOT new.enable_course_rating
  OR old.course_credit IS NOT new.course_credit
  OR old.rating_sum IS NOT new.rating_sum
  OR old.rating_count IS NOT new.rating_count
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE courses SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER classes_updated_at AFTER UPDATE OF course_id, type, recurrence, time_zone, disabled, allow_download, instructor_id, location_id, webinar_provider, webinar_meeting_id, webinar_host_pwd, start_at, end_at, session_count, size, created_by, version, created_at ON classes
WHEN new.updated_at = old.updated_at
AND (
  old.course_id IS NOT new.course_id
  OR old.type IS NOT new.type
  OR old.recurrence IS NOT new.recurrence
  OR old.time_zone IS NOT new.time_zone
  OR old.disabled IS NOT new.disabled
  OR old.allow_download IS NOT new.allow_download
  OR old.instructor_id IS NOT new.instructor_id
  OR old.location_id IS NOT new.location_id
  OR old.webinar_provider IS NOT new.webinar_provider
  OR old.webinar_meeting_id IS NOT new.webinar_meeting_id
  OR old.webinar_host_pwd IS NOT new.webinar_host_pwd
  OR old.start_at IS NOT new.start_at
  OR old.end_at IS NOT new.end_at
  OR old.session_count IS NOT new.session_count
  OR old.size IS NOT new.size
  OR old.created_by IS NOT new.created_by
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE classes SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_updated_at AFTER UPDATE OF code, user_id, enrollment_id, class_enrollment_id, course_id, template_id, course_name, instructor_name, course_credit, issued_at, expires_at, revoked_at, version ON certificates
WHEN new.updated_at = old.updated_at
AND (
  old.code IS NOT new.code
  OR old.user_id IS NOT new.user_id
  OR old.enrollment_id IS NOT new.enrollment_id
  OR old.class_enrollment_id IS NOT new.class_enrollment_id
  OR old.course_id IS NOT new.course_id
  OR old.template_id IS NOT new.template_id
  OR old.course_name IS NOT new.course_name
  OR old.instructor_name IS NOT new.instructor_name
  OR old.course_credit IS NOT new.course_credit
  OR old.issued_at IS NOT new.issued_at
  OR old.expires_at IS NOT new.expires_at
  OR old.revoked_at IS NOT new.revoked_at
  OR old.version IS NOT new.version
) BEGIN
  UPDATE certificates SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER orders_updated_at AFTER UPDATE OF user_id, items, total, currency, status, version, created_at ON orders
WHEN new.updated_at = old.updated_at
AND (
  old.user_id IS NOT new.user_id
  OR old.items IS NOT new.items
  OR old.total IS NOT new.total
  OR old.currency IS NOT new.currency
  OR old.status IS NOT new.status
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE orders SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER groups_updated_at AFTER UPDATE OF name, version, created_at ON groups
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE groups SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_rules_updated_at AFTER UPDATE OF name, active, audience, due, grace_days, skip_weekends, recurrence, reminders, on_leave, group_id, portal_id, created_by, version, created_at ON assignment_rules
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.active IS NOT new.active
  OR old.audience IS NOT new.audience
  OR old.due IS NOT new.due
  OR old.grace_days IS NOT new.grace_days
  OR old.skip_weekends IS NOT new.skip_weekends
  OR old.recurrence IS NOT new.recurrence
  OR old.reminders IS NOT new.reminders
  OR old.on_leave IS NOT new.on_leave
  OR old.group_id IS NOT new.group_id
  OR old.portal_id IS NOT new.portal_id
  OR old.created_by IS NOT new.created_by
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE assignment_rules SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER portals_updated_at AFTER UPDATE OF name, slug, referral_code, user_type, total_seat, subscription_id, parent_portal_id, portal_type, status, expires_at, expiry_message, logo_url, primary_color, secondary_color, sender_name, reply_to, version, created_at ON portals
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.slug IS NOT new.slug
  OR old.referral_code IS NOT new.referral_code
  OR old.user_type IS NOT new.user_type
  OR old.total_seat IS NOT new.total_seat
  OR old.subscription_id IS NOT new.subscription_id
  OR old.parent_portal_id IS NOT new.parent_portal_id
  OR old.portal_type IS NOT new.portal_type
  OR old.status IS NOT new.status
  OR old.expires_at IS NOT new.expires_at
  OR old.expiry_message IS NOT new.expiry_message
  OR old.logo_url IS NOT new.logo_url
  OR old.primary_color IS NOT new.primary_color
  OR old.secondary_color IS NOT new.secondary_color
  OR old.sender_name IS NOT new.sender_name
  OR old.reply_to IS NOT new.reply_to
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE portals SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER course_days_counted AFTER INSERT ON activities
WHEN new.verb IN ('ENROLLED', 'STARTED', 'COMPLETED') AND new.course_id IS NOT NULL BEGIN
  INSERT INTO course_days (course_id, day, enrolled, started, completed)
  SELECT new.course_id, date(new.created_at / 1000, 'unixepoch'),
    new.verb = 'ENROLLED', new.verb = 'STARTED', new.verb = 'COMPLETED'
  WHERE true
  ON CONFLICT (course_id, day) DO UPDATE SET
    enrolled = enrolled + excluded.enrolled,
    started = started + excluded.started,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_counted AFTER INSERT ON module_statuses
WHEN new.status <> 'Not Started' BEGIN
  INSERT INTO module_counts (course_id, module_id, in_progress, submitted, completed)
  SELECT course_id, new.module_id, (new.status = 'In Progress'), (new.status = 'Submitted'), (new.status = 'Completed')
  FROM enrollments
  WHERE id = new.enrollment_id
  ON CONFLICT (course_id, module_id) DO UPDATE SET
    in_progress = in_progress + excluded.in_progress,
    submitted = submitted + excluded.submitted,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_recounted AFTER UPDATE OF status ON module_statuses
WHEN old.status <> new.status BEGIN
  INSERT INTO module_counts (course_id, module_id, in_progress, submitted, completed)
  SELECT course_id, new.module_id, (new.status = 'In Progress') - (old.status = 'In Progress'), (new.status = 'Submitted') - (old.status = 'Submitted'), (new.status = 'Completed') - (old.status = 'Completed')
  FROM enrollments
  WHERE id = new.enrollment_id
  ON CONFLICT (course_id, module_id) DO UPDATE SET
    in_progress = in_progress + excluded.in_progress,
    submitted = submitted + excluded.submitted,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_modules_uncounted BEFORE DELETE ON enrollments BEGIN
  UPDATE module_counts SET
    in_progress = in_progress - (own.status = 'In Progress'),
    submitted = submitted - (own.status = 'Submitted'),
    completed = completed - (own.status = 'Completed')
  FROM module_statuses AS own
  WHERE own.enrollment_id = old.id AND own.status <> 'Not Started'
    AND module_counts.course_id = old.course_id AND module_counts.module_id = own.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_uncounted AFTER DELETE ON module_statuses
WHEN old.status <> 'Not Started' BEGIN
  UPDATE module_counts SET
    in_progress = in_progress - (old.status = 'In Progress'),
    submitted = submitted - (old.status = 'Submitted'),
    completed = completed - (old.status = 'Completed')
  WHERE module_id = old.module_id AND course_id = (SELECT course_id FROM enrollments WHERE id = old.enrollment_id);
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_counted AFTER INSERT ON quiz_attempts
WHEN new.status = 'Completed' BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT new.course_id, new.module_id, new.percent, 1, (new.result = 'passed')
  WHERE new.status = 'Completed' AND new.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_updated AFTER UPDATE OF status, percent, result ON quiz_attempts
WHEN old.status <> new.status OR old.percent <> new.percent OR old.result <> new.result BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT old.course_id, old.module_id, old.percent, -1, -(old.result = 'passed')
  WHERE old.status = 'Completed' AND old.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT new.course_id, new.module_id, new.percent, 1, (new.result = 'passed')
  WHERE new.status = 'Completed' AND new.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_uncounted AFTER DELETE ON quiz_attempts
WHEN old.status = 'Completed' BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT old.course_id, old.module_id, old.percent, -1, -(old.result = 'passed')
  WHERE old.status = 'Completed' AND old.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
