CREATE TRIGGER media_uses_quiz_version_inserted AFTER INSERT ON quiz_versions
WHEN instr(coalesce(new.questions, ''), '/api/media/') > 0 BEGIN
  INSERT OR IGNORE INTO media_uses (source, source_id, media_id) SELECT 'quiz_version' AS source, new.module_id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.questions, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_bank_question_inserted AFTER INSERT ON bank_question_versions
WHEN instr(coalesce(new.content, ''), '/api/media/') > 0 BEGIN
  INSERT OR IGNORE INTO media_uses (source, source_id, media_id) SELECT 'bank_question' AS source, new.question_id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_badge_inserted AFTER INSERT ON badges
WHEN instr(coalesce(new.badge_icon_url, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'badge' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.badge_icon_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_badge_updated AFTER UPDATE OF badge_icon_url ON badges
WHEN (instr(coalesce(old.badge_icon_url, ''), '/api/media/') > 0 OR instr(coalesce(new.badge_icon_url, ''), '/api/media/') > 0)
          AND coalesce(old.badge_icon_url, '') <> coalesce(new.badge_icon_url, '') BEGIN
  DELETE FROM media_uses WHERE source = 'badge' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'badge' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.badge_icon_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_badge_deleted AFTER DELETE ON badges
WHEN instr(coalesce(old.badge_icon_url, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'badge' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_settings_inserted AFTER INSERT ON settings
WHEN instr(coalesce(new.logo_url, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'settings' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.logo_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_settings_updated AFTER UPDATE OF logo_url ON settings
WHEN (instr(coalesce(old.logo_url, ''), '/api/media/') > 0 OR instr(coalesce(new.logo_url, ''), '/api/media/') > 0)
          AND coalesce(old.logo_url, '') <> coalesce(new.logo_url, '') BEGIN
  DELETE FROM media_uses WHERE source = 'settings' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'settings' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.logo_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_settings_deleted AFTER DELETE ON settings
WHEN instr(coalesce(old.logo_url, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'settings' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_portal_inserted AFTER INSERT ON portals
WHEN instr(coalesce(new.logo_url, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'portal' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.logo_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_portal_updated AFTER UPDATE OF logo_url ON portals
WHEN (instr(coalesce(old.logo_url, ''), '/api/media/') > 0 OR instr(coalesce(new.logo_url, ''), '/api/media/') > 0)
          AND coalesce(old.logo_url, '') <> coalesce(new.logo_url, '') BEGIN
  DELETE FROM media_uses WHERE source = 'portal' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'portal' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.logo_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_portal_deleted AFTER DELETE ON portals
WHEN instr(coalesce(old.logo_url, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'portal' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_added AFTER INSERT ON module_statuses
WHEN new.points_awarded IS NOT NULL BEGIN
  UPDATE enrollments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id
        AND +state.points_awarded IS NOT NULL)
  WHERE id = new.enrollment_id;
  UPDATE enrollments SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id AND NOT (new.status = 'Completed' AND EXISTS (
    SELECT 1 FROM course_modules AS part
    WHERE part.course_id = enrollments.course_id AND part.module_id = new.module_id AND part.counts
  ));
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_changed AFTER UPDATE OF points_awarded ON module_statuses
WHEN old.points_awarded IS NOT new.points_awarded BEGIN
  UPDATE enrollments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id
        AND +state.points_awarded IS NOT NULL)
  WHERE id = new.enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_dated AFTER UPDATE OF points_awarded ON module_statuses
WHEN old.points_awarded IS NOT new.points_awarded AND new.status <> 'Not Started' BEGIN
  UPDATE enrollments SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id AND NOT (old.status <> new.status AND new.status = 'Completed' AND EXISTS (
    SELECT 1 FROM course_modules AS part
    WHERE part.course_id = enrollments.course_id AND part.module_id = new.module_id AND part.counts
  ));
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_removed AFTER DELETE ON module_statuses
WHEN old.points_awarded IS NOT NULL BEGIN
  UPDATE enrollments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id
        AND +state.points_awarded IS NOT NULL)
  WHERE id = old.enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER users_inserted_event AFTER INSERT ON users BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'user.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER users_updated_event AFTER UPDATE OF first_name, last_name, email, user_type, disabled, source_id, membership_id, membership_expires_at, version ON users
WHEN (old.first_name IS NOT new.first_name OR old.last_name IS NOT new.last_name OR old.email IS NOT new.email OR old.user_type IS NOT new.user_type OR old.disabled IS NOT new.disabled OR old.source_id IS NOT new.source_id OR old.membership_id IS NOT new.membership_id OR old.membership_expires_at IS NOT new.membership_expires_at OR old.version IS NOT new.version) AND (NOT (new.email <> old.email AND new.email = 'erased-' || new.id || '@erased.invalid')) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN NOT old.disabled AND new.disabled THEN 'user.disabled'
    WHEN old.disabled AND NOT new.disabled THEN 'user.enabled'
    WHEN old.user_type <> new.user_type THEN 'user.role_changed'
    WHEN old.email <> new.email THEN 'user.email_changed'
    WHEN old.membership_id IS NULL AND new.membership_id IS NOT NULL THEN 'membership.given'
    WHEN old.membership_id IS NOT NULL AND new.membership_id IS NULL THEN 'membership.ended'
    WHEN old.membership_id <> new.membership_id
      OR old.membership_id IS NOT NULL AND old.membership_expires_at IS NOT new.membership_expires_at THEN 'membership.changed'
    ELSE 'user.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.id, NULL, NULL, '{' || substr(iif(old.first_name IS new.first_name, '', ',"firstName":' || json_quote(old.first_name))
    || iif(old.last_name IS new.last_name, '', ',"lastName":' || json_quote(old.last_name))
    || iif(old.email IS new.email, '', ',"email":' || json_quote(old.email))
    || iif(old.user_type IS new.user_type, '', ',"userType":' || json_quote(old.user_type))
    || iif(old.disabled IS new.disabled, '', ',"disabled":' || json_quote(old.disabled))
    || iif(old.source_id IS new.source_id, '', ',"sourceId":' || json_quote(old.source_id))
    || iif(old.membership_id IS new.membership_id, '', ',"membershipId":' || json_quote(old.membership_id))
    || iif(old.membership_expires_at IS new.membership_expires_at, '', ',"membershipExpiresAt":' || json_quote(old.membership_expires_at)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER users_deleted_event BEFORE DELETE ON users BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'user.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.id, NULL, (SELECT json_group_array(group_id) FROM group_members WHERE user_id = old.id), NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER erasures_inserted_event AFTER INSERT ON erasures BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'user.erased', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.user_id, new.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER groups_inserted_event AFTER INSERT ON groups BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER groups_updated_event AFTER UPDATE OF name, version ON groups
WHEN (old.name IS NOT new.name OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER groups_deleted_event AFTER DELETE ON groups BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_inserted_event AFTER INSERT ON group_members BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.member_added', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.group_id, new.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_deleted_event AFTER DELETE ON group_members
WHEN EXISTS (SELECT 1 FROM groups WHERE id = old.group_id)
      AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.member_removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.group_id, old.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER group_admins_inserted_event AFTER INSERT ON group_admins BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.admin_added', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.group_id, new.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER group_admins_deleted_event AFTER DELETE ON group_admins
WHEN EXISTS (SELECT 1 FROM groups WHERE id = old.group_id)
      AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'group.admin_removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.group_id, old.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER portals_inserted_event AFTER INSERT ON portals BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER portals_updated_event AFTER UPDATE OF name, slug, status, user_type, total_seat, parent_portal_id, expires_at, version ON portals
WHEN (old.name IS NOT new.name OR old.slug IS NOT new.slug OR old.status IS NOT new.status OR old.user_type IS NOT new.user_type OR old.total_seat IS NOT new.total_seat OR old.parent_portal_id IS NOT new.parent_portal_id OR old.expires_at IS NOT new.expires_at OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.slug IS new.slug, '', ',"slug":' || json_quote(old.slug))
    || iif(old.status IS new.status, '', ',"status":' || json_quote(old.status))
    || iif(old.user_type IS new.user_type, '', ',"userType":' || json_quote(old.user_type))
    || iif(old.total_seat IS new.total_seat, '', ',"totalSeat":' || json_quote(old.total_seat))
    || iif(old.parent_portal_id IS new.parent_portal_id, '', ',"parentPortalId":' || json_quote(old.parent_portal_id))
    || iif(old.expires_at IS new.expires_at, '', ',"expiresAt":' || json_quote(old.expires_at)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER portals_deleted_event AFTER DELETE ON portals BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_inserted_event AFTER INSERT ON portal_members BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.member_added', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.portal_id, new.user_id, NULL, NULL, NULL
  WHERE new.role <> 'admin';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.admin_added', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.portal_id, new.user_id, NULL, NULL, NULL
  WHERE new.role = 'admin';
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_deleted_event AFTER DELETE ON portal_members
WHEN EXISTS (SELECT 1 FROM portals WHERE id = old.portal_id)
      AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.member_removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.portal_id, old.user_id, NULL, NULL, NULL
  WHERE old.role <> 'admin';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'portal.admin_removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.portal_id, old.user_id, NULL, NULL, NULL
  WHERE old.role = 'admin';
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_inserted_event AFTER INSERT ON enrollments BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'enrollment.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE true;
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'enrollment.completed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_updated_event AFTER UPDATE OF status, percent, started_at, completed_at, expires_at, due_at, due_status, cycle, expired_at ON enrollments
WHEN (old.status IS NOT new.status OR old.percent IS NOT new.percent OR old.started_at IS NOT new.started_at OR old.completed_at IS NOT new.completed_at OR old.expires_at IS NOT new.expires_at OR old.due_at IS NOT new.due_at OR old.due_status IS NOT new.due_status OR old.cycle IS NOT new.cycle OR old.expired_at IS NOT new.expired_at) AND (NOT (old.status = new.status AND old.started_at = new.started_at AND old.completed_at = new.completed_at AND old.expires_at = new.expires_at AND old.expired_at = new.expired_at AND old.due_at = new.due_at AND old.due_status = new.due_status AND old.cycle = new.cycle AND EXISTS (
    SELECT 1 FROM events
    WHERE id = (SELECT max(id) FROM events) AND type = 'module.completed'
      AND object_id / 4194304 = new.id AND previous_percent = old.percent
  ))) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.status <> 'Completed' AND new.status = 'Completed' THEN 'enrollment.completed'
    WHEN new.cycle > old.cycle THEN 'enrollment.cycle_started'
    WHEN old.status <> 'Not Started' AND new.status = 'Not Started' THEN 'enrollment.reset'
    WHEN old.started_at = 0 AND new.started_at > 0 THEN 'enrollment.started'
    WHEN old.due_status <> 'exempt' AND new.due_status = 'exempt' THEN 'enrollment.exempted'
    WHEN old.due_at <> new.due_at AND EXISTS (
      SELECT 1 FROM due_date_changes AS extension
      WHERE extension.user_id = new.user_id AND extension.course_id = new.course_id
        AND extension.cycle = new.cycle AND extension.kind = 'extension' AND extension.until = new.due_at
    ) THEN 'enrollment.extended'
    WHEN old.due_status <> 'due_soon' AND new.due_status = 'due_soon' THEN 'enrollment.due_soon'
    WHEN old.due_status <> 'overdue' AND new.due_status = 'overdue' THEN 'enrollment.overdue'
    WHEN old.expired_at = 0 AND new.expired_at > 0 THEN 'enrollment.expired'
    ELSE 'enrollment.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, '{' || substr(iif(old.status IS new.status, '', ',"status":' || json_quote(old.status))
    || iif(old.percent IS new.percent, '', ',"percent":' || json_quote(old.percent))
    || iif(old.started_at IS new.started_at, '', ',"startedAt":' || json_quote(old.started_at))
    || iif(old.completed_at IS new.completed_at, '', ',"completedAt":' || json_quote(old.completed_at))
    || iif(old.expires_at IS new.expires_at, '', ',"expiresAt":' || json_quote(old.expires_at))
    || iif(old.due_at IS new.due_at, '', ',"dueAt":' || json_quote(old.due_at))
    || iif(old.due_status IS new.due_status, '', ',"dueStatus":' || json_quote(old.due_status))
    || iif(old.cycle IS new.cycle, '', ',"cycle":' || json_quote(old.cycle)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_deleted_event AFTER DELETE ON enrollments
WHEN EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'enrollment.removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.user_id, old.course_id, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_inserted_event AFTER INSERT ON module_statuses BEGIN
  INSERT INTO events (id, type, occurred_at, object_id, user_id, course_id, group_ids, previous, previous_percent)
  SELECT (SELECT coalesce(max(id), 0) FROM events) + iif(percent IS NULL, 1, 2),
    'module.completed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), (new.enrollment_id * 4194304 + new.module_id), (SELECT user_id FROM enrollments WHERE id = new.enrollment_id), (SELECT course_id FROM enrollments WHERE id = new.enrollment_id), NULL, NULL, percent
  FROM (SELECT (
    SELECT enrollment.percent
    FROM enrollments AS enrollment
      JOIN course_modules AS part ON part.course_id = enrollment.course_id AND part.module_id = new.module_id
      JOIN courses ON courses.id = enrollment.course_id
    WHERE enrollment.id = new.enrollment_id AND enrollment.status = 'In Progress' AND part.counts
      AND enrollment.done + 1 < courses.goal
      AND max(enrollment.percent, min(100, coalesce((enrollment.done + 1) * 100 / nullif(courses.goal, 0), 0))) > enrollment.percent
  ) AS percent)
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_updated_event AFTER UPDATE OF status ON module_statuses
WHEN (old.status IS NOT new.status) BEGIN
  INSERT INTO events (id, type, occurred_at, object_id, user_id, course_id, group_ids, previous, previous_percent)
  SELECT (SELECT coalesce(max(id), 0) FROM events) + iif(percent IS NULL, 1, 2),
    'module.completed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), (new.enrollment_id * 4194304 + new.module_id), (SELECT user_id FROM enrollments WHERE id = new.enrollment_id), (SELECT course_id FROM enrollments WHERE id = new.enrollment_id), NULL, '{' || substr(iif(old.status IS new.status, '', ',"status":' || json_quote(old.status)), 2) || '}', percent
  FROM (SELECT (
    SELECT enrollment.percent
    FROM enrollments AS enrollment
      JOIN course_modules AS part ON part.course_id = enrollment.course_id AND part.module_id = new.module_id
      JOIN courses ON courses.id = enrollment.course_id
    WHERE enrollment.id = new.enrollment_id AND enrollment.status = 'In Progress' AND part.counts
      AND enrollment.done + 1 < courses.goal
      AND max(enrollment.percent, min(100, coalesce((enrollment.done + 1) * 100 / nullif(courses.goal, 0), 0))) > enrollment.percent
  ) AS percent)
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_inserted_event AFTER INSERT ON learning_paths BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'learning_path.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_updated_event AFTER UPDATE OF name, slug, type, version ON learning_paths
WHEN (old.name IS NOT new.name OR old.slug IS NOT new.slug OR old.type IS NOT new.type OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'learning_path.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.slug IS new.slug, '', ',"slug":' || json_quote(old.slug))
    || iif(old.type IS new.type, '', ',"type":' || json_quote(old.type)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_deleted_event AFTER DELETE ON learning_paths BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'learning_path.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_enrollments_inserted_event AFTER INSERT ON learning_path_enrollments BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'learning_path.enrolled', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE true;
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'learning_path.completed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_enrollments_updated_event AFTER UPDATE OF status ON learning_path_enrollments
WHEN (old.status IS NOT new.status) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.status <> 'Completed' AND new.status = 'Completed' THEN 'learning_path.completed'
    WHEN old.status = 'Completed' AND new.status <> 'Completed' THEN 'learning_path.reset'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, '{' || substr(iif(old.status IS new.status, '', ',"status":' || json_quote(old.status)), 2) || '}'
  WHERE (old.status <> 'Completed' AND new.status = 'Completed') OR (old.status = 'Completed' AND new.status <> 'Completed');
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_enrollments_deleted_event AFTER DELETE ON learning_path_enrollments
WHEN EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'learning_path.removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_rules_inserted_event AFTER INSERT ON assignment_rules BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'assignment_rule.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_rules_updated_event AFTER UPDATE OF name, active, version ON assignment_rules
WHEN (old.name IS NOT new.name OR old.active IS NOT new.active OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'assignment_rule.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.active IS new.active, '', ',"active":' || json_quote(old.active)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_rules_deleted_event AFTER DELETE ON assignment_rules BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'assignment_rule.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_claims_inserted_event AFTER INSERT ON assignment_claims BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'enrollment.assigned', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.rule_id, new.user_id, new.course_id, NULL, NULL
  WHERE NOT new.pending;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_claims_updated_event AFTER UPDATE OF pending ON assignment_claims
WHEN (old.pending IS NOT new.pending) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'enrollment.assigned', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.rule_id, new.user_id, new.course_id, NULL, NULL
  WHERE old.pending AND NOT new.pending;
END;
--> statement-breakpoint
CREATE TRIGGER courses_inserted_event AFTER INSERT ON courses BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'course.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, new.id, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER courses_updated_event AFTER UPDATE OF name, slug, status, estimated_minutes, expires_after_days, total_seats, version ON courses
WHEN (old.name IS NOT new.name OR old.slug IS NOT new.slug OR old.status IS NOT new.status OR old.estimated_minutes IS NOT new.estimated_minutes OR old.expires_after_days IS NOT new.expires_after_days OR old.total_seats IS NOT new.total_seats OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.status <> 'publish' AND new.status = 'publish' THEN 'course.published'
    ELSE 'course.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, new.id, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.slug IS new.slug, '', ',"slug":' || json_quote(old.slug))
    || iif(old.status IS new.status, '', ',"status":' || json_quote(old.status))
    || iif(old.estimated_minutes IS new.estimated_minutes, '', ',"estimatedMinutes":' || json_quote(old.estimated_minutes))
    || iif(old.expires_after_days IS new.expires_after_days, '', ',"expiresAfterDays":' || json_quote(old.expires_after_days))
    || iif(old.total_seats IS new.total_seats, '', ',"totalSeats":' || json_quote(old.total_seats)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER courses_deleted_event AFTER DELETE ON courses BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'course.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, old.id, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER classes_inserted_event AFTER INSERT ON classes BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'class.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, new.course_id, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER classes_updated_event AFTER UPDATE OF type, disabled, instructor_id, location_id, time_zone, start_at, end_at, session_count, course_id, recurrence, version ON classes
WHEN (old.type IS NOT new.type OR old.disabled IS NOT new.disabled OR old.instructor_id IS NOT new.instructor_id OR old.location_id IS NOT new.location_id OR old.time_zone IS NOT new.time_zone OR old.start_at IS NOT new.start_at OR old.end_at IS NOT new.end_at OR old.session_count IS NOT new.session_count OR old.course_id IS NOT new.course_id OR old.recurrence IS NOT new.recurrence OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN NOT old.disabled AND new.disabled THEN 'class.canceled'
    WHEN (old.start_at, old.end_at, old.session_count, old.time_zone)
        <> (new.start_at, new.end_at, new.session_count, new.time_zone) OR old.recurrence IS NOT new.recurrence THEN 'class.moved'
    ELSE 'class.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, NULL, new.course_id, NULL, '{' || substr(iif(old.type IS new.type, '', ',"type":' || json_quote(old.type))
    || iif(old.disabled IS new.disabled, '', ',"disabled":' || json_quote(old.disabled))
    || iif(old.instructor_id IS new.instructor_id, '', ',"instructorId":' || json_quote(old.instructor_id))
    || iif(old.location_id IS new.location_id, '', ',"locationId":' || json_quote(old.location_id))
    || iif(old.time_zone IS new.time_zone, '', ',"timeZone":' || json_quote(old.time_zone))
    || iif(old.start_at IS new.start_at, '', ',"startAt":' || json_quote(old.start_at))
    || iif(old.end_at IS new.end_at, '', ',"endAt":' || json_quote(old.end_at))
    || iif(old.session_count IS new.session_count, '', ',"sessionCount":' || json_quote(old.session_count)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER classes_deleted_event AFTER DELETE ON classes BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'class.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, NULL, old.course_id, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_inserted_event AFTER INSERT ON class_enrollments BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'class_enrollment.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, (SELECT course_id FROM classes WHERE id = new.class_id), NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_updated_event AFTER UPDATE OF status, attendance ON class_enrollments
WHEN (old.status IS NOT new.status OR old.attendance IS NOT new.attendance) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.status = 'Cancelled' AND new.status = 'Registered' THEN 'class_enrollment.created'
    WHEN old.status <> 'Cancelled' AND new.status = 'Cancelled' THEN 'class_enrollment.canceled'
    WHEN old.status <> 'Attended' AND new.status = 'Attended' THEN 'class_enrollment.attended'
    WHEN old.status <> 'No Show' AND new.status = 'No Show' THEN 'class_enrollment.no_show'
    ELSE 'class_enrollment.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, (SELECT course_id FROM classes WHERE id = new.class_id), NULL, '{' || substr(iif(old.status IS new.status, '', ',"status":' || json_quote(old.status)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_deleted_event AFTER DELETE ON class_enrollments
WHEN EXISTS (SELECT 1 FROM classes WHERE id = old.class_id) AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'class_enrollment.removed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.user_id, (SELECT course_id FROM classes WHERE id = old.class_id), NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_inserted_event AFTER INSERT ON quiz_attempts BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'quiz.submitted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_updated_event AFTER UPDATE OF status, result ON quiz_attempts
WHEN (old.status IS NOT new.status OR old.result IS NOT new.result) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'Completed' AND old.status <> new.status THEN 'quiz.submitted'
    WHEN old.result = 'pending' AND new.result <> 'pending' THEN 'quiz.graded'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE (new.status = 'Completed' AND old.status <> new.status) OR (old.result = 'pending' AND new.result <> 'pending');
END;
--> statement-breakpoint
CREATE TRIGGER submissions_inserted_event AFTER INSERT ON submissions BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'assignment.submitted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE (SELECT type FROM modules WHERE id = new.module_id) = 'assignment';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'assignment.accepted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE new.status = 'Accepted' AND (SELECT type FROM modules WHERE id = new.module_id) = 'assignment';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'assignment.returned', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE new.status = 'Returned' AND (SELECT type FROM modules WHERE id = new.module_id) = 'assignment';
END;
--> statement-breakpoint
CREATE TRIGGER submissions_updated_event AFTER UPDATE OF status ON submissions
WHEN (old.status IS NOT new.status) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'Accepted' AND (SELECT type FROM modules WHERE id = new.module_id) = 'assignment' THEN 'assignment.accepted'
    WHEN new.status = 'Returned' AND (SELECT type FROM modules WHERE id = new.module_id) = 'assignment' THEN 'assignment.returned'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, '{' || substr(iif(old.status IS new.status, '', ',"status":' || json_quote(old.status)), 2) || '}'
  WHERE (new.status = 'Accepted' AND (SELECT type FROM modules WHERE id = new.module_id) = 'assignment') OR (new.status = 'Returned' AND (SELECT type FROM modules WHERE id = new.module_id) = 'assignment');
END;
--> statement-breakpoint
CREATE TRIGGER certificates_inserted_event AFTER INSERT ON certificates BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'certificate.issued', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_updated_event AFTER UPDATE OF issued_at, expires_at, revoked_at, expiry_state ON certificates
WHEN (old.issued_at IS NOT new.issued_at OR old.expires_at IS NOT new.expires_at OR old.revoked_at IS NOT new.revoked_at OR old.expiry_state IS NOT new.expiry_state) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN old.revoked_at = 0 AND new.revoked_at > 0 THEN 'certificate.revoked'
    WHEN old.expiry_state = 0 AND new.expiry_state = 1 THEN 'certificate.expiring'
    WHEN old.expiry_state < 2 AND new.expiry_state = 2 THEN 'certificate.expired'
    ELSE 'certificate.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, new.course_id, NULL, '{' || substr(iif(old.issued_at IS new.issued_at, '', ',"issuedAt":' || json_quote(old.issued_at))
    || iif(old.expires_at IS new.expires_at, '', ',"expiresAt":' || json_quote(old.expires_at))
    || iif(old.revoked_at IS new.revoked_at, '', ',"revokedAt":' || json_quote(old.revoked_at)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER gamification_awards_inserted_event AFTER INSERT ON gamification_awards BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'badge.awarded', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.badge_id IS NOT NULL;
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'points.awarded', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.badge_id IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER orders_inserted_event AFTER INSERT ON orders BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'order.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE true;
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'order.pending', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.status = 'pending';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'order.completed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.status = 'completed';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'order.failed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.status = 'failed';
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'order.refunded', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE new.status = 'refunded';
END;
--> statement-breakpoint
CREATE TRIGGER orders_updated_event AFTER UPDATE OF status, total, currency, items ON orders
WHEN (old.status IS NOT new.status OR old.total IS NOT new.total OR old.currency IS NOT new.currency OR old.items IS NOT new.items) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'pending' AND old.status <> 'pending' THEN 'order.pending'
    WHEN new.status = 'completed' AND old.status <> 'completed' THEN 'order.completed'
    WHEN new.status = 'failed' AND old.status <> 'failed' THEN 'order.failed'
    WHEN new.status = 'refunded' AND old.status <> 'refunded' THEN 'order.refunded'
    ELSE 'order.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, '{' || substr(iif(old.status IS new.status, '', ',"status":' || json_quote(old.status)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER orders_deleted_event AFTER DELETE ON orders BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'order.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_inserted_event AFTER INSERT ON subscriptions BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'subscription.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_updated_event AFTER UPDATE OF subscription_name, status, start_at, end_at, total, currency ON subscriptions
WHEN (old.subscription_name IS NOT new.subscription_name OR old.status IS NOT new.status OR old.start_at IS NOT new.start_at OR old.end_at IS NOT new.end_at OR old.total IS NOT new.total OR old.currency IS NOT new.currency) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'Cancelled' AND old.status <> 'Cancelled' THEN 'subscription.canceled'
    WHEN new.status = 'Expired' AND old.status <> 'Expired' THEN 'subscription.ended'
    WHEN new.status = 'Active' AND old.status <> 'Active' OR old.end_at > 0 AND (new.end_at = 0 OR new.end_at > old.end_at) THEN 'subscription.renewed'
    ELSE 'subscription.updated'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.user_id, NULL, NULL, '{' || substr(iif(old.subscription_name IS new.subscription_name, '', ',"name":' || json_quote(old.subscription_name))
    || iif(old.status IS new.status, '', ',"status":' || json_quote(old.status))
    || iif(old.start_at IS new.start_at, '', ',"startAt":' || json_quote(old.start_at))
    || iif(old.end_at IS new.end_at, '', ',"endAt":' || json_quote(old.end_at)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_deleted_event AFTER DELETE ON subscriptions
WHEN EXISTS (SELECT 1 FROM users WHERE id = old.user_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'subscription.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.user_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_inserted_event AFTER INSERT ON announcements BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'announcement.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.author_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_updated_event AFTER UPDATE OF heading, sending_rules, expires_at, version ON announcements
WHEN (old.heading IS NOT new.heading OR old.sending_rules IS NOT new.sending_rules OR old.expires_at IS NOT new.expires_at OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'announcement.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.author_id, NULL, NULL, '{' || substr(iif(old.heading IS new.heading, '', ',"heading":' || json_quote(old.heading))
    || iif(old.sending_rules IS new.sending_rules, '', ',"sendingRules":' || json_quote(old.sending_rules))
    || iif(old.expires_at IS new.expires_at, '', ',"expiresAt":' || json_quote(old.expires_at)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_deleted_event AFTER DELETE ON announcements BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'announcement.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.author_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER bulk_uploads_inserted_event AFTER INSERT ON bulk_uploads BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'import.failed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.caller_id, NULL, NULL, NULL
  WHERE new.status = 'completed' AND new.failed = new.rows;
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'import.completed', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.caller_id, NULL, NULL, NULL
  WHERE new.status = 'completed' AND new.failed < new.rows;
END;
--> statement-breakpoint
CREATE TRIGGER bulk_uploads_updated_event AFTER UPDATE OF status ON bulk_uploads
WHEN (old.status IS NOT new.status) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'completed' AND new.failed = new.rows THEN 'import.failed'
    WHEN new.status = 'completed' AND new.failed < new.rows THEN 'import.completed'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.caller_id, NULL, NULL, NULL
  WHERE (new.status = 'completed' AND new.failed = new.rows) OR (new.status = 'completed' AND new.failed < new.rows);
END;
--> statement-breakpoint
CREATE TRIGGER export_jobs_updated_event AFTER UPDATE OF status ON export_jobs
WHEN (old.status IS NOT new.status) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'completed' THEN 'export.completed'
    WHEN new.status = 'failed' THEN 'export.failed'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.caller_id, NULL, NULL, NULL
  WHERE (new.status = 'completed') OR (new.status = 'failed');
END;
--> statement-breakpoint
CREATE TRIGGER report_schedules_inserted_event AFTER INSERT ON report_schedules BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'report_schedule.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.owner_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER report_schedules_updated_event AFTER UPDATE OF name, interval, day, hour, active, version ON report_schedules
WHEN (old.name IS NOT new.name OR old.interval IS NOT new.interval OR old.day IS NOT new.day OR old.hour IS NOT new.hour OR old.active IS NOT new.active OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'report_schedule.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.owner_id, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.interval IS new.interval, '', ',"interval":' || json_quote(old.interval))
    || iif(old.day IS new.day, '', ',"day":' || json_quote(old.day))
    || iif(old.hour IS new.hour, '', ',"hour":' || json_quote(old.hour))
    || iif(old.active IS new.active, '', ',"active":' || json_quote(old.active)), 2) || '}'
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER report_schedules_deleted_event AFTER DELETE ON report_schedules
WHEN EXISTS (SELECT 1 FROM users WHERE id = old.owner_id) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'report_schedule.deleted', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), old.id, old.owner_id, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER report_deliveries_updated_event AFTER UPDATE OF status ON report_deliveries
WHEN (old.status IS NOT new.status) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT (CASE
    WHEN new.status = 'sent' THEN 'report_schedule.delivered'
    WHEN new.status = 'failed' THEN 'report_schedule.failed'
    END), max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.schedule_id || ':' || new.run_at, new.user_id, NULL, NULL, NULL
  WHERE (new.status = 'sent') OR (new.status = 'failed');
END;
--> statement-breakpoint
CREATE TRIGGER media_inserted_event AFTER INSERT ON media BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'media.created', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.uploaded_by, NULL, NULL, NULL
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER media_updated_event AFTER UPDATE OF name, alt_text, version ON media
WHEN (old.name IS NOT new.name OR old.alt_text IS NOT new.alt_text OR old.version IS NOT new.version) BEGIN
  INSERT INTO events (type, occurred_at, object_id, user_id, course_id, group_ids, previous)
  SELECT 'media.updated', max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
      coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)), new.id, new.uploaded_by, NULL, NULL, '{' || substr(iif(old.name IS new.name, '', ',"name":' || json_quote(old.name))
    || iif(old.alt_text IS new.alt_text, '', ',"altText":' || json_quote(old.alt_text)), 2) || '}'
  WHERE true;
END;
