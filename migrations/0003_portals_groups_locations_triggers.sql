-- What drizzle-kit cannot write for portals, groups and locations: search, totals, seats taken.

-- Seats: how many learners a portal has, its administrators not counted.
CREATE TRIGGER portal_learners_inserted AFTER INSERT ON portal_members WHEN new.role <> 'admin' BEGIN
  INSERT INTO counters (key, value) VALUES ('portal_learners:' || new.portal_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portal_learners_deleted AFTER DELETE ON portal_members WHEN old.role <> 'admin' BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'portal_learners:' || old.portal_id;
END;
--> statement-breakpoint

CREATE VIRTUAL TABLE portals_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER portals_inserted AFTER INSERT ON portals BEGIN
  INSERT INTO portals_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('portals', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portals_search_changed AFTER UPDATE OF search_text ON portals WHEN old.search_text <> new.search_text BEGIN
  UPDATE portals_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER portals_deleted AFTER DELETE ON portals BEGIN
  DELETE FROM portals_search WHERE rowid = old.id;
  DELETE FROM email_rules WHERE portal_id = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'portals';
  DELETE FROM counters WHERE key IN ('portal:' || old.id, 'portal_learners:' || old.id);
END;
--> statement-breakpoint

CREATE VIRTUAL TABLE groups_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER groups_inserted AFTER INSERT ON groups BEGIN
  INSERT INTO groups_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('groups', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER groups_search_changed AFTER UPDATE OF search_text ON groups WHEN old.search_text <> new.search_text BEGIN
  UPDATE groups_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER groups_deleted AFTER DELETE ON groups BEGIN
  DELETE FROM groups_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'groups';
  DELETE FROM counters WHERE key = 'group:' || old.id;
END;
--> statement-breakpoint

CREATE VIRTUAL TABLE locations_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER locations_inserted AFTER INSERT ON locations BEGIN
  INSERT INTO locations_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('locations', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER locations_search_changed AFTER UPDATE OF search_text ON locations WHEN old.search_text <> new.search_text BEGIN
  UPDATE locations_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER locations_deleted AFTER DELETE ON locations BEGIN
  DELETE FROM locations_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'locations';
END;
