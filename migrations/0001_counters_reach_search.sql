-- What drizzle-kit cannot write: kept counters, the reach of supervisors, substring search.

INSERT INTO user_sources (id, name, identifier, description) VALUES
  (1, 'API', 'api', 'Created over the API'),
  (2, 'Bulk upload', 'bulk_upload', 'Created by a bulk upload'),
  (3, 'Sample data', 'sample', 'Loaded with the sample academy');
--> statement-breakpoint
INSERT INTO sequences (name, value) VALUES ('user_sources', 3);
--> statement-breakpoint

-- Substring search over users. The row's rowid is the user's id; the text is users.search_text.
CREATE VIRTUAL TABLE users_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
  INSERT INTO users_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('users', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_search_changed AFTER UPDATE OF search_text ON users WHEN old.search_text <> new.search_text BEGIN
  UPDATE users_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
  DELETE FROM users_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'users';
END;
--> statement-breakpoint

CREATE TRIGGER reach_inserted AFTER INSERT ON reach BEGIN
  INSERT INTO counters (key, value) VALUES ('reach:' || new.supervisor_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER reach_deleted AFTER DELETE ON reach BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'reach:' || old.supervisor_id;
END;
--> statement-breakpoint

CREATE TRIGGER group_members_inserted AFTER INSERT ON group_members BEGIN
  INSERT INTO counters (key, value) VALUES ('group:' || new.group_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
  INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT user_id, new.user_id, 1 FROM group_admins WHERE group_id = new.group_id
    ON CONFLICT (supervisor_id, user_id) DO UPDATE SET ways = ways + 1;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_deleted AFTER DELETE ON group_members BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'group:' || old.group_id;
  UPDATE reach SET ways = ways - 1
    WHERE user_id = old.user_id AND supervisor_id IN (SELECT user_id FROM group_admins WHERE group_id = old.group_id);
  DELETE FROM reach WHERE user_id = old.user_id AND ways = 0;
END;
--> statement-breakpoint
CREATE TRIGGER group_admins_inserted AFTER INSERT ON group_admins BEGIN
  INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT new.user_id, user_id, 1 FROM group_members WHERE group_id = new.group_id
    ON CONFLICT (supervisor_id, user_id) DO UPDATE SET ways = ways + 1;
END;
--> statement-breakpoint
CREATE TRIGGER group_admins_deleted AFTER DELETE ON group_admins BEGIN
  UPDATE reach SET ways = ways - 1
    WHERE supervisor_id = old.user_id AND user_id IN (SELECT user_id FROM group_members WHERE group_id = old.group_id);
  DELETE FROM reach WHERE supervisor_id = old.user_id AND ways = 0;
END;
--> statement-breakpoint

-- A portal's administrators reach its other members. A role is changed by deleting the row and inserting another.
CREATE TRIGGER portal_members_inserted AFTER INSERT ON portal_members BEGIN
  INSERT INTO counters (key, value) VALUES ('portal:' || new.portal_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
  INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT user_id, new.user_id, 1 FROM portal_members
    WHERE portal_id = new.portal_id AND role = 'admin' AND user_id <> new.user_id
    ON CONFLICT (supervisor_id, user_id) DO UPDATE SET ways = ways + 1;
  INSERT INTO reach (supervisor_id, user_id, ways)
    SELECT new.user_id, user_id, 1 FROM portal_members
    WHERE new.role = 'admin' AND portal_id = new.portal_id AND user_id <> new.user_id
    ON CONFLICT (supervisor_id, user_id) DO UPDATE SET ways = ways + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_deleted AFTER DELETE ON portal_members BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'portal:' || old.portal_id;
  UPDATE reach SET ways = ways - 1 WHERE user_id = old.user_id AND supervisor_id IN (
    SELECT user_id FROM portal_members WHERE portal_id = old.portal_id AND role = 'admin');
  DELETE FROM reach WHERE user_id = old.user_id AND ways = 0;
  UPDATE reach SET ways = ways - 1 WHERE old.role = 'admin' AND supervisor_id = old.user_id AND user_id IN (
    SELECT user_id FROM portal_members WHERE portal_id = old.portal_id);
  DELETE FROM reach WHERE supervisor_id = old.user_id AND ways = 0;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_fixed BEFORE UPDATE ON portal_members BEGIN
  SELECT RAISE(ABORT, 'A portal membership is deleted and inserted, not updated.');
END;
--> statement-breakpoint

-- Memberships: the pattern of every searched and counted table.
CREATE VIRTUAL TABLE memberships_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER memberships_inserted AFTER INSERT ON memberships BEGIN
  INSERT INTO memberships_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('memberships', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_search_changed AFTER UPDATE OF search_text ON memberships WHEN old.search_text <> new.search_text BEGIN
  UPDATE memberships_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_deleted AFTER DELETE ON memberships BEGIN
  DELETE FROM memberships_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'memberships';
END;
