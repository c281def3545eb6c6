-- Categories: substring search, kept counts, and links that are made and last only while their category does.

CREATE VIRTUAL TABLE categories_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
UPDATE categories SET name_key = lower(name), search_text = lower(name) || char(1),
  use_count = (SELECT count(*) FROM course_categories WHERE category_id = categories.id)
    + (SELECT count(*) FROM user_categories WHERE category_id = categories.id)
  WHERE deleted_at IS NULL;
--> statement-breakpoint
INSERT INTO categories_search (rowid, text) SELECT id, search_text FROM categories WHERE deleted_at IS NULL;
--> statement-breakpoint
INSERT INTO counters (key, value) SELECT 'categories:' || type, count(*) FROM categories WHERE deleted_at IS NULL GROUP BY type;
--> statement-breakpoint
CREATE TRIGGER categories_inserted AFTER INSERT ON categories BEGIN
  INSERT INTO categories_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('categories:' || new.type, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER categories_search_changed AFTER UPDATE OF search_text ON categories WHEN old.search_text <> new.search_text BEGIN
  UPDATE categories_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER categories_deleted AFTER UPDATE OF deleted_at ON categories
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  DELETE FROM categories_search WHERE rowid = new.id;
  UPDATE counters SET value = value - 1 WHERE key = 'categories:' || new.type;
  DELETE FROM course_categories WHERE category_id = new.id;
  DELETE FROM module_categories WHERE category_id = new.id;
  DELETE FROM user_categories WHERE category_id = new.id;
  UPDATE quiz_questions SET category_id = NULL WHERE category_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER course_categories_only_there BEFORE INSERT ON course_categories
WHEN NOT EXISTS (SELECT 1 FROM categories WHERE id = new.category_id AND type = 'course' AND deleted_at IS NULL) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER course_categories_counted AFTER INSERT ON course_categories BEGIN
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id;
END;
--> statement-breakpoint
CREATE TRIGGER course_categories_uncounted AFTER DELETE ON course_categories BEGIN
  UPDATE categories SET use_count = use_count - 1 WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER module_categories_only_there BEFORE INSERT ON module_categories
WHEN NOT EXISTS (SELECT 1 FROM categories WHERE id = new.category_id AND type = 'module' AND deleted_at IS NULL) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER module_categories_counted AFTER INSERT ON module_categories BEGIN
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id;
END;
--> statement-breakpoint
CREATE TRIGGER module_categories_uncounted AFTER DELETE ON module_categories BEGIN
  UPDATE categories SET use_count = use_count - 1 WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_only_there BEFORE INSERT ON user_categories
WHEN NOT EXISTS (SELECT 1 FROM categories WHERE id = new.category_id AND type = 'user' AND deleted_at IS NULL) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_counted AFTER INSERT ON user_categories BEGIN
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id;
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_uncounted AFTER DELETE ON user_categories BEGIN
  UPDATE categories SET use_count = use_count - 1 WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_categorised AFTER INSERT ON quiz_questions WHEN new.category_id IS NOT NULL BEGIN
  UPDATE quiz_questions SET category_id = NULL WHERE id = new.id
    AND NOT EXISTS (SELECT 1 FROM categories WHERE id = new.category_id AND type = 'question' AND deleted_at IS NULL);
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id AND type = 'question' AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_uncategorised AFTER DELETE ON quiz_questions WHEN old.category_id IS NOT NULL BEGIN
  UPDATE categories SET use_count = use_count - 1 WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
-- Badges and gamification events: substring search and kept counts.

CREATE VIRTUAL TABLE badges_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER badges_inserted AFTER INSERT ON badges BEGIN
  INSERT INTO badges_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('badges', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER badges_search_changed AFTER UPDATE OF search_text ON badges WHEN old.search_text <> new.search_text BEGIN
  UPDATE badges_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER badges_deleted AFTER DELETE ON badges BEGIN
  DELETE FROM badges_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'badges';
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE gamification_events_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER gamification_events_inserted AFTER INSERT ON gamification_events BEGIN
  INSERT INTO gamification_events_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('gamification_events', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER gamification_events_search_changed AFTER UPDATE OF search_text ON gamification_events WHEN old.search_text <> new.search_text BEGIN
  UPDATE gamification_events_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER gamification_events_deleted AFTER DELETE ON gamification_events BEGIN
  DELETE FROM gamification_events_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'gamification_events';
END;
--> statement-breakpoint
-- The one way to points and badges by an event. What happened is inserted here, by a trigger of whatever happens; each active
-- event of its type awards it, once for a cause.
CREATE VIEW happenings (user_id, type, target_id, cause, at) AS SELECT 0, '', 0, '', 0 WHERE false;
--> statement-breakpoint
CREATE TRIGGER happenings_awarded INSTEAD OF INSERT ON happenings BEGIN
  INSERT INTO awards (user_id, badge_id, event_id, cause, points, awarded_at)
    SELECT new.user_id, event.badge_id, event.id, new.cause, event.points + coalesce(badges.points, 0), new.at
    FROM gamification_events AS event LEFT JOIN badges ON badges.id = event.badge_id
    WHERE event.type = new.type AND event.target_id IN (0, new.target_id) AND event.active
    ON CONFLICT (user_id, event_id, cause) DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER happenings_course_completed AFTER INSERT ON activities WHEN new.verb = 'COMPLETED' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'course_completed', new.course_id, 'course:' || new.course_id, new.created_at);
END;
--> statement-breakpoint
CREATE TRIGGER happenings_path_completed_at_once AFTER INSERT ON learning_path_enrolments WHEN new.status = 'Completed' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'learning_path_completed', new.learning_path_id, 'path:' || new.learning_path_id, new.completed_at);
END;
--> statement-breakpoint
CREATE TRIGGER happenings_path_completed AFTER UPDATE OF status ON learning_path_enrolments WHEN old.status <> 'Completed' AND new.status = 'Completed' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'learning_path_completed', new.learning_path_id, 'path:' || new.learning_path_id, new.completed_at);
END;
--> statement-breakpoint
CREATE TRIGGER happenings_quiz_passed_at_once AFTER INSERT ON quiz_attempts WHEN new.result = 'passed' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'quiz_passed', new.module_id, 'quiz:' || new.module_id, new.completed_at);
END;
--> statement-breakpoint
CREATE TRIGGER happenings_quiz_passed AFTER UPDATE OF result ON quiz_attempts WHEN old.result <> 'passed' AND new.result = 'passed' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'quiz_passed', new.module_id, 'quiz:' || new.module_id, new.completed_at);
END;
--> statement-breakpoint
CREATE TRIGGER happenings_assignment_accepted_at_once AFTER INSERT ON module_statuses WHEN new.status = 'Completed' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    SELECT enrolments.user_id, 'assignment_accepted', new.module_id, 'assignment:' || new.module_id, iif(new.completed_at > 0, new.completed_at, new.last_accessed_at)
    FROM modules JOIN enrolments ON enrolments.id = new.enrolment_id WHERE modules.id = new.module_id AND modules.type = 'assignment';
END;
--> statement-breakpoint
CREATE TRIGGER happenings_assignment_accepted AFTER UPDATE OF status ON module_statuses WHEN old.status <> 'Completed' AND new.status = 'Completed' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    SELECT enrolments.user_id, 'assignment_accepted', new.module_id, 'assignment:' || new.module_id, iif(new.completed_at > 0, new.completed_at, new.last_accessed_at)
    FROM modules JOIN enrolments ON enrolments.id = new.enrolment_id WHERE modules.id = new.module_id AND modules.type = 'assignment';
END;
--> statement-breakpoint
CREATE TRIGGER happenings_login AFTER UPDATE OF last_login_at ON users WHEN new.last_login_at > old.last_login_at BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.id, 'login', 0, 'login:' || date(new.last_login_at / 1000, 'unixepoch'), new.last_login_at);
END;
--> statement-breakpoint
-- What awards come to.
CREATE TRIGGER awards_inserted AFTER INSERT ON awards BEGIN
  INSERT INTO user_badges (user_id, badge_id, count, last_awarded_at)
    SELECT new.user_id, new.badge_id, 1, new.awarded_at WHERE new.badge_id IS NOT NULL
    ON CONFLICT (user_id, badge_id) DO UPDATE SET count = count + 1, last_awarded_at = max(last_awarded_at, excluded.last_awarded_at);
  INSERT INTO user_scores (user_id, points, badge_count, ranked)
    SELECT id, new.points, new.badge_id IS NOT NULL, NOT disabled FROM users WHERE id = new.user_id
    ON CONFLICT (user_id) DO UPDATE SET points = points + excluded.points, badge_count = badge_count + excluded.badge_count;
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_inserted AFTER INSERT ON user_scores WHEN new.ranked BEGIN
  INSERT INTO score_tallies (level, bucket, users)
    SELECT level, new.points / width, 1 FROM (SELECT 0 AS level, 1 AS width UNION ALL SELECT 1, 100 UNION ALL SELECT 2, 10000 UNION ALL SELECT 3, 1000000)
    WHERE new.ranked ON CONFLICT (level, bucket) DO UPDATE SET users = users + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_moved AFTER UPDATE OF points, ranked ON user_scores
WHEN old.points <> new.points OR old.ranked <> new.ranked BEGIN
  UPDATE score_tallies SET users = users - 1 WHERE old.ranked AND (level, bucket) IN (
    VALUES (0, old.points), (1, old.points / 100), (2, old.points / 10000), (3, old.points / 1000000));
  INSERT INTO score_tallies (level, bucket, users)
    SELECT level, new.points / width, 1 FROM (SELECT 0 AS level, 1 AS width UNION ALL SELECT 1, 100 UNION ALL SELECT 2, 10000 UNION ALL SELECT 3, 1000000)
    WHERE new.ranked ON CONFLICT (level, bucket) DO UPDATE SET users = users + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_deleted AFTER DELETE ON user_scores WHEN old.ranked BEGIN
  UPDATE score_tallies SET users = users - 1 WHERE old.ranked AND (level, bucket) IN (
    VALUES (0, old.points), (1, old.points / 100), (2, old.points / 10000), (3, old.points / 1000000));
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_user_disabled AFTER UPDATE OF disabled ON users WHEN old.disabled <> new.disabled BEGIN
  UPDATE user_scores SET ranked = NOT new.disabled WHERE user_id = new.id;
END;
