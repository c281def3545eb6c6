-- Announcements: substring search, kept counts, and what goes with an announcement, a user or a portal.

CREATE VIRTUAL TABLE announcements_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER announcements_inserted AFTER INSERT ON announcements BEGIN
  INSERT INTO announcements_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('announcements', 1), ('announcements:' || new.standing, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_search_changed AFTER UPDATE OF search_text ON announcements WHEN old.search_text <> new.search_text BEGIN
  UPDATE announcements_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_standing_changed AFTER UPDATE OF standing ON announcements WHEN old.standing <> new.standing BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'announcements:' || old.standing;
  INSERT INTO counters (key, value) VALUES ('announcements:' || new.standing, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
-- Mails of it that still wait are taken back. A semicolon is what follows a colon.
CREATE TRIGGER announcements_deleted AFTER DELETE ON announcements BEGIN
  DELETE FROM announcements_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key IN ('announcements', 'announcements:' || old.standing);
  DELETE FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';'
    AND status = 'queued';
END;
--> statement-breakpoint
CREATE TRIGGER announcement_users_deleted AFTER DELETE ON announcement_users BEGIN
  UPDATE announcements SET user_count = user_count - 1 WHERE id = old.announcement_id;
END;
--> statement-breakpoint
-- What was for a portal's members alone goes with the portal: it must not become everybody's.
CREATE TRIGGER portals_announcements_deleted BEFORE DELETE ON portals BEGIN
  DELETE FROM announcements WHERE id IN (
    SELECT mine.announcement_id FROM announcement_portals AS mine WHERE mine.portal_id = old.id AND NOT EXISTS (
      SELECT 1 FROM announcement_portals AS other
      WHERE other.announcement_id = mine.announcement_id AND other.portal_id <> old.id));
END;
