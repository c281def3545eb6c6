CREATE VIEW audiences (user_id, audience) AS
  SELECT user_id, 'group:' || group_id FROM group_members
  UNION ALL SELECT user_id, 'portal:' || portal_id FROM portal_members
  UNION ALL SELECT user_id, 'supervisor:' || supervisor_id FROM supervisor_scope;
--> statement-breakpoint
CREATE VIRTUAL TABLE users_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE users_terms USING fts5vocab('users_search', 'row');
--> statement-breakpoint
CREATE TRIGGER users_search_changed AFTER UPDATE OF search_text ON users
WHEN old.search_text <> new.search_text BEGIN
  UPDATE users_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_inserted AFTER INSERT ON users BEGIN
  INSERT INTO users_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('users', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
  DELETE FROM users_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'users';
END;
--> statement-breakpoint
CREATE TRIGGER users_counted_by_day AFTER INSERT ON users BEGIN
  INSERT INTO counters (key, value)
  VALUES ('users:day:' || date(new.created_at / 1000, 'unixepoch'), 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_uncounted_by_day AFTER DELETE ON users BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'users:day:' || date(old.created_at / 1000, 'unixepoch');
END;
--> statement-breakpoint
CREATE TRIGGER users_recounted_by_day AFTER UPDATE OF created_at ON users
WHEN old.created_at <> new.created_at BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'users:day:' || date(old.created_at / 1000, 'unixepoch');
  INSERT INTO counters (key, value)
  VALUES ('users:day:' || date(new.created_at / 1000, 'unixepoch'), 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_credentials_changed AFTER UPDATE OF password_hash, email, disabled ON users
WHEN old.password_hash IS NOT new.password_hash
OR old.email <> new.email
OR new.disabled BEGIN
  DELETE FROM password_links WHERE user_id = new.id;
  DELETE FROM temporary_passwords WHERE user_id = new.id;
  DELETE FROM pending_emails WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_deprovisioned AFTER UPDATE OF deprovisioned, disabled ON users
WHEN (new.deprovisioned AND new.disabled) AND NOT (old.deprovisioned AND old.disabled) BEGIN
  INSERT INTO counters (key, value)
  VALUES ('users:' || 'deprovisioned', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_provisioned_again AFTER UPDATE OF deprovisioned, disabled ON users
WHEN (old.deprovisioned AND old.disabled) AND NOT (new.deprovisioned AND new.disabled) BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'users:' || 'deprovisioned';
END;
--> statement-breakpoint
CREATE TRIGGER users_deprovisioned_deleted AFTER DELETE ON users
WHEN (old.deprovisioned AND old.disabled) BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'users:' || 'deprovisioned';
END;
--> statement-breakpoint
CREATE TRIGGER user_sources_inserted AFTER INSERT ON user_sources BEGIN
  INSERT INTO counters (key, value)
  VALUES ('user_sources', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_sources_deleted AFTER DELETE ON user_sources BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'user_sources';
END;
--> statement-breakpoint
CREATE TRIGGER users_erased_stay BEFORE UPDATE OF version ON users
WHEN old.disabled AND EXISTS (SELECT 1 FROM erasures WHERE user_id = old.id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER addresses_not_of_erased AFTER INSERT ON addresses
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER announcement_users_not_of_erased AFTER INSERT ON announcement_users
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER cards_not_of_erased AFTER INSERT ON cards
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER carts_not_of_erased AFTER INSERT ON carts
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER certificates_not_of_erased AFTER INSERT ON certificates
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_not_of_erased AFTER INSERT ON class_enrollments
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER user_consents_not_of_erased AFTER INSERT ON user_consents
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_not_of_erased AFTER INSERT ON enrollments
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER gamification_awards_not_of_erased AFTER INSERT ON gamification_awards
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER group_admins_not_of_erased AFTER INSERT ON group_admins
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER group_members_not_of_erased AFTER INSERT ON group_members
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_enrollments_not_of_erased AFTER INSERT ON learning_path_enrollments
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER orders_not_of_erased AFTER INSERT ON orders
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_not_of_erased AFTER INSERT ON portal_members
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER reviews_not_of_erased AFTER INSERT ON reviews
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_not_of_erased AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER transcripts_not_of_erased AFTER INSERT ON transcripts
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER user_view_types_not_of_erased AFTER INSERT ON user_view_types
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.user_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER certificate_templates_not_by_erased AFTER INSERT ON certificate_templates
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.author_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER certificate_templates_not_given_to_erased AFTER UPDATE OF author_id ON certificate_templates
WHEN new.author_id IS NOT old.author_id AND EXISTS (SELECT 1 FROM erasures WHERE user_id = new.author_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER courses_not_by_erased AFTER INSERT ON courses
WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = new.author_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER courses_not_given_to_erased AFTER UPDATE OF author_id ON courses
WHEN new.author_id IS NOT old.author_id AND EXISTS (SELECT 1 FROM erasures WHERE user_id = new.author_id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_inserted AFTER INSERT ON api_keys BEGIN
  INSERT INTO counters (key, value)
  VALUES ('api_keys', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'api_keys';
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_named AFTER INSERT ON api_keys BEGIN
  INSERT OR REPLACE INTO api_key_names (id, name) VALUES (new.id, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_renamed AFTER UPDATE OF name ON api_keys
WHEN old.name <> new.name BEGIN
  INSERT OR REPLACE INTO api_key_names (id, name) VALUES (new.id, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_inserted AFTER INSERT ON supervisor_scope BEGIN
  INSERT INTO counters (key, value)
  VALUES ('supervisor:' || new.supervisor_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_deleted AFTER DELETE ON supervisor_scope BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'supervisor:' || old.supervisor_id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE groups_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE groups_terms USING fts5vocab('groups_search', 'row');
--> statement-breakpoint
CREATE TRIGGER groups_search_changed AFTER UPDATE OF search_text ON groups
WHEN old.search_text <> new.search_text BEGIN
  UPDATE groups_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER groups_inserted AFTER INSERT ON groups BEGIN
  INSERT INTO groups_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('groups', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER groups_deleted AFTER DELETE ON groups BEGIN
  DELETE FROM groups_search WHERE rowid = old.id;
  DELETE FROM counters WHERE key = 'group:' || old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'groups';
END;
--> statement-breakpoint
CREATE TRIGGER group_members_inserted AFTER INSERT ON group_members BEGIN
  INSERT INTO counters (key, value)
  VALUES ('group:' || new.group_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
  INSERT INTO supervisor_scope (supervisor_id, user_id, link_count)
  SELECT admin.user_id, new.user_id, (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = new.user_id AND leading.user_id = admin.user_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = new.user_id AND leading.user_id = admin.user_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  )
  FROM group_admins AS admin WHERE admin.group_id = new.group_id
  ON CONFLICT (supervisor_id, user_id) DO UPDATE SET link_count = excluded.link_count;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_deleted AFTER DELETE ON group_members BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'group:' || old.group_id;
  DELETE FROM supervisor_scope WHERE user_id = old.user_id AND (
        (
          SELECT count(*) FROM group_members AS belonging
            CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
          WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id
        ) + (
          SELECT count(*) FROM portal_members AS belonging
            CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
          WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id AND leading.role = 'admin'
            AND leading.user_id <> belonging.user_id
        )
      ) = 0;
  UPDATE supervisor_scope SET link_count = (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  )
  WHERE user_id = old.user_id AND link_count <> (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  );
END;
--> statement-breakpoint
CREATE TRIGGER group_course_seats_inserted AFTER INSERT ON group_course_seats BEGIN
  UPDATE group_course_seats SET used_seats = (
      SELECT count(*) FROM enrollments WHERE group_id = new.group_id AND course_id = new.course_id)
  WHERE group_id = new.group_id AND course_id = new.course_id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE portals_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE portals_terms USING fts5vocab('portals_search', 'row');
--> statement-breakpoint
CREATE TRIGGER portals_search_changed AFTER UPDATE OF search_text ON portals
WHEN old.search_text <> new.search_text BEGIN
  UPDATE portals_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER portals_inserted AFTER INSERT ON portals BEGIN
  INSERT INTO portals_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('portals', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portals_deleted AFTER DELETE ON portals BEGIN
  DELETE FROM portals_search WHERE rowid = old.id;
  DELETE FROM email_rules WHERE portal_id = old.id;
  DELETE FROM counters WHERE key IN ('portal:' || old.id, 'portal_learners:' || old.id);
  UPDATE counters SET value = value - 1 WHERE key = 'portals';
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_inserted AFTER INSERT ON portal_members BEGIN
  INSERT INTO counters (key, value)
  VALUES ('portal:' || new.portal_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
  INSERT INTO supervisor_scope (supervisor_id, user_id, link_count)
  SELECT admin.user_id, new.user_id, (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = new.user_id AND leading.user_id = admin.user_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = new.user_id AND leading.user_id = admin.user_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  )
  FROM portal_members AS admin
  WHERE admin.portal_id = new.portal_id AND admin.role = 'admin' AND admin.user_id <> new.user_id
  ON CONFLICT (supervisor_id, user_id) DO UPDATE SET link_count = excluded.link_count;
  INSERT INTO supervisor_scope (supervisor_id, user_id, link_count)
  SELECT new.user_id, admin.user_id, (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = admin.user_id AND leading.user_id = new.user_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = admin.user_id AND leading.user_id = new.user_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  )
  FROM portal_members AS admin
  WHERE new.role = 'admin' AND admin.portal_id = new.portal_id AND admin.role = 'admin'
    AND admin.user_id <> new.user_id
  ON CONFLICT (supervisor_id, user_id) DO UPDATE SET link_count = excluded.link_count;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_deleted AFTER DELETE ON portal_members BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'portal:' || old.portal_id;
  DELETE FROM supervisor_scope WHERE user_id = old.user_id AND (
        (
          SELECT count(*) FROM group_members AS belonging
            CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
          WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id
        ) + (
          SELECT count(*) FROM portal_members AS belonging
            CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
          WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id AND leading.role = 'admin'
            AND leading.user_id <> belonging.user_id
        )
      ) = 0;
  UPDATE supervisor_scope SET link_count = (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  )
  WHERE user_id = old.user_id AND link_count <> (
    (
      SELECT count(*) FROM group_members AS belonging
        CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id
    ) + (
      SELECT count(*) FROM portal_members AS belonging
        CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
      WHERE belonging.user_id = supervisor_scope.user_id AND leading.user_id = supervisor_scope.supervisor_id AND leading.role = 'admin'
        AND leading.user_id <> belonging.user_id
    )
  );
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_update_refused BEFORE UPDATE ON portal_members BEGIN
  SELECT RAISE(ABORT, 'A portal membership is deleted and inserted, not updated.');
END;
--> statement-breakpoint
CREATE TRIGGER portal_learners_inserted AFTER INSERT ON portal_members
WHEN new.role <> 'admin' BEGIN
  INSERT INTO counters (key, value)
  VALUES ('portal_learners:' || new.portal_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portal_learners_deleted AFTER DELETE ON portal_members
WHEN old.role <> 'admin' BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'portal_learners:' || old.portal_id;
END;
--> statement-breakpoint
CREATE TRIGGER portals_announcements_deleted BEFORE DELETE ON portals BEGIN
  DELETE FROM announcements WHERE id IN (
    SELECT mine.announcement_id FROM announcement_portals AS mine
    WHERE mine.portal_id = old.id AND NOT EXISTS (
      SELECT 1 FROM announcement_portals AS other
      WHERE other.announcement_id = mine.announcement_id AND other.portal_id <> old.id));
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE locations_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE locations_terms USING fts5vocab('locations_search', 'row');
--> statement-breakpoint
CREATE TRIGGER locations_search_changed AFTER UPDATE OF search_text ON locations
WHEN old.search_text <> new.search_text BEGIN
  UPDATE locations_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER locations_inserted AFTER INSERT ON locations BEGIN
  INSERT INTO locations_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('locations', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER locations_deleted AFTER DELETE ON locations BEGIN
  DELETE FROM locations_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'locations';
END;
--> statement-breakpoint
CREATE TRIGGER sso_providers_inserted AFTER INSERT ON sso_providers BEGIN
  INSERT INTO counters (key, value)
  VALUES ('sso_providers', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER sso_providers_deleted AFTER DELETE ON sso_providers BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'sso_providers';
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE memberships_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE memberships_terms USING fts5vocab('memberships_search', 'row');
--> statement-breakpoint
CREATE TRIGGER memberships_search_changed AFTER UPDATE OF search_text ON memberships
WHEN old.search_text <> new.search_text BEGIN
  UPDATE memberships_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_inserted AFTER INSERT ON memberships BEGIN
  INSERT INTO memberships_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('memberships', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_deleted AFTER DELETE ON memberships BEGIN
  DELETE FROM memberships_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'memberships';
END;
--> statement-breakpoint
CREATE TRIGGER cards_inserted AFTER INSERT ON cards BEGIN
  INSERT INTO counters (key, value)
  VALUES ('cards', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER cards_deleted AFTER DELETE ON cards BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'cards';
END;
--> statement-breakpoint
CREATE TRIGGER carts_inserted AFTER INSERT ON carts BEGIN
  INSERT INTO counters (key, value)
  VALUES ('carts', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER carts_deleted AFTER DELETE ON carts BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'carts';
END;
--> statement-breakpoint
CREATE TRIGGER orders_inserted AFTER INSERT ON orders BEGIN
  INSERT INTO counters (key, value)
  VALUES ('orders', 1), ('orders:' || new.status, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_status_changed AFTER UPDATE OF status ON orders
WHEN old.status <> new.status BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'orders:' || old.status;
  INSERT INTO counters (key, value)
  VALUES ('orders:' || new.status, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_deleted AFTER DELETE ON orders BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('orders', 'orders:' || old.status);
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_inserted AFTER INSERT ON subscriptions BEGIN
  INSERT INTO counters (key, value)
  VALUES ('subscriptions', 1), ('subscriptions:' || new.status, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_status_changed AFTER UPDATE OF status ON subscriptions
WHEN old.status <> new.status BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'subscriptions:' || old.status;
  INSERT INTO counters (key, value)
  VALUES ('subscriptions:' || new.status, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_deleted AFTER DELETE ON subscriptions BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('subscriptions', 'subscriptions:' || old.status);
END;
--> statement-breakpoint
CREATE TRIGGER user_consents_inserted AFTER INSERT ON user_consents BEGIN
  INSERT INTO counters (key, value)
  VALUES ('user_consents', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_consents_deleted AFTER DELETE ON user_consents BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'user_consents';
END;
--> statement-breakpoint
CREATE TRIGGER reviews_inserted AFTER INSERT ON reviews BEGIN
  UPDATE courses SET
    rating_sum = rating_sum + new.rating,
    rating_count = rating_count + 1,
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.course_id;
  INSERT INTO counters (key, value)
  VALUES ('reviews', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER reviews_deleted AFTER DELETE ON reviews BEGIN
  UPDATE courses SET
    rating_sum = rating_sum - old.rating,
    rating_count = rating_count - 1,
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = old.course_id;
  UPDATE counters SET value = value - 1 WHERE key = 'reviews';
END;
--> statement-breakpoint
CREATE TRIGGER reviews_rating_changed AFTER UPDATE OF rating ON reviews BEGIN
  UPDATE courses SET
    rating_sum = rating_sum + new.rating - old.rating,
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.course_id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE courses_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE courses_terms USING fts5vocab('courses_search', 'row');
--> statement-breakpoint
CREATE TRIGGER courses_search_changed AFTER UPDATE OF search_text ON courses
WHEN old.search_text <> new.search_text BEGIN
  UPDATE courses_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER courses_inserted AFTER INSERT ON courses BEGIN
  INSERT INTO courses_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('courses', 1), ('courses:' || new.status, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER courses_status_changed AFTER UPDATE OF status ON courses
WHEN old.status <> new.status BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'courses:' || old.status;
  INSERT INTO counters (key, value)
  VALUES ('courses:' || new.status, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER courses_deleted AFTER DELETE ON courses BEGIN
  DELETE FROM courses_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key IN ('courses', 'courses:' || old.status);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE modules_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE modules_terms USING fts5vocab('modules_search', 'row');
--> statement-breakpoint
CREATE TRIGGER modules_search_changed AFTER UPDATE OF search_text ON modules
WHEN old.search_text <> new.search_text BEGIN
  UPDATE modules_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER modules_inserted AFTER INSERT ON modules BEGIN
  INSERT INTO modules_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('modules:' || new.type, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER modules_deleted AFTER DELETE ON modules BEGIN
  DELETE FROM modules_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'modules:' || old.type;
END;
--> statement-breakpoint
CREATE TRIGGER course_modules_inserted AFTER INSERT ON course_modules BEGIN
  UPDATE courses SET
    module_count = module_count + 1,
    goal = goal + new.counts
  WHERE id = new.course_id;
  UPDATE modules SET course_count = course_count + 1 WHERE id = new.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER course_modules_deleted AFTER DELETE ON course_modules BEGIN
  UPDATE courses SET
    module_count = module_count - 1,
    goal = goal - old.counts
  WHERE id = old.course_id;
  UPDATE modules SET course_count = course_count - 1 WHERE id = old.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER course_modules_update_refused BEFORE UPDATE ON course_modules BEGIN
  SELECT RAISE(ABORT, 'A module of a course is deleted and inserted, not updated.');
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_inserted AFTER INSERT ON enrollments BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT audience, course_id,
    (new.status = 'Not Started'),
    (new.status = 'In Progress'),
    (new.status = 'Completed'),
    (new.due_status = 'on_track'),
    (new.due_status = 'due_soon'),
    (new.due_status = 'overdue'),
    (new.due_status = 'completed'),
    (new.due_status = 'completed_late'),
    (new.due_status = 'exempt')
  FROM (
    SELECT 'all' AS audience, new.course_id AS course_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, new.course_id FROM audiences WHERE user_id = new.user_id
  )
  WHERE true
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
  UPDATE group_course_seats SET used_seats = used_seats + 1
  WHERE group_id = new.group_id AND course_id = new.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_updated AFTER UPDATE OF status, due_status ON enrollments
WHEN old.status <> new.status OR old.due_status <> new.due_status BEGIN
  UPDATE enrollment_counts SET
    not_started = not_started + (new.status = 'Not Started') - (old.status = 'Not Started'),
    in_progress = in_progress + (new.status = 'In Progress') - (old.status = 'In Progress'),
    completed = completed + (new.status = 'Completed') - (old.status = 'Completed'),
    on_track = on_track + (new.due_status = 'on_track') - (old.due_status = 'on_track'),
    due_soon = due_soon + (new.due_status = 'due_soon') - (old.due_status = 'due_soon'),
    overdue = overdue + (new.due_status = 'overdue') - (old.due_status = 'overdue'),
    completed_on_time = completed_on_time + (new.due_status = 'completed') - (old.due_status = 'completed'),
    completed_late = completed_late + (new.due_status = 'completed_late') - (old.due_status = 'completed_late'),
    exempt = exempt + (new.due_status = 'exempt') - (old.due_status = 'exempt')
  WHERE (audience, course_id) IN (
    SELECT 'all' AS audience, new.course_id AS course_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, new.course_id FROM audiences WHERE user_id = new.user_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_deleted AFTER DELETE ON enrollments BEGIN
  UPDATE enrollment_counts SET
    not_started = not_started - (old.status = 'Not Started'),
    in_progress = in_progress - (old.status = 'In Progress'),
    completed = completed - (old.status = 'Completed'),
    on_track = on_track - (old.due_status = 'on_track'),
    due_soon = due_soon - (old.due_status = 'due_soon'),
    overdue = overdue - (old.due_status = 'overdue'),
    completed_on_time = completed_on_time - (old.due_status = 'completed'),
    completed_late = completed_late - (old.due_status = 'completed_late'),
    exempt = exempt - (old.due_status = 'exempt')
  WHERE (audience, course_id) IN (
    SELECT 'all' AS audience, old.course_id AS course_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, old.course_id FROM audiences WHERE user_id = old.user_id
  );
  UPDATE group_course_seats SET used_seats = used_seats - 1
  WHERE group_id = old.group_id AND course_id = old.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_counted AFTER INSERT ON group_members BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'group:' || new.group_id, course_id,
    (status = 'Not Started'),
    (status = 'In Progress'),
    (status = 'Completed'),
    (due_status = 'on_track'),
    (due_status = 'due_soon'),
    (due_status = 'overdue'),
    (due_status = 'completed'),
    (due_status = 'completed_late'),
    (due_status = 'exempt')
  FROM enrollments
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_uncounted AFTER DELETE ON group_members BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'group:' || old.group_id, course_id,
    -(status = 'Not Started'),
    -(status = 'In Progress'),
    -(status = 'Completed'),
    -(due_status = 'on_track'),
    -(due_status = 'due_soon'),
    -(due_status = 'overdue'),
    -(due_status = 'completed'),
    -(due_status = 'completed_late'),
    -(due_status = 'exempt')
  FROM enrollments
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_counted AFTER INSERT ON portal_members BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'portal:' || new.portal_id, course_id,
    (status = 'Not Started'),
    (status = 'In Progress'),
    (status = 'Completed'),
    (due_status = 'on_track'),
    (due_status = 'due_soon'),
    (due_status = 'overdue'),
    (due_status = 'completed'),
    (due_status = 'completed_late'),
    (due_status = 'exempt')
  FROM enrollments
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_uncounted AFTER DELETE ON portal_members BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'portal:' || old.portal_id, course_id,
    -(status = 'Not Started'),
    -(status = 'In Progress'),
    -(status = 'Completed'),
    -(due_status = 'on_track'),
    -(due_status = 'due_soon'),
    -(due_status = 'overdue'),
    -(due_status = 'completed'),
    -(due_status = 'completed_late'),
    -(due_status = 'exempt')
  FROM enrollments
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_counted AFTER INSERT ON supervisor_scope BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'supervisor:' || new.supervisor_id, course_id,
    (status = 'Not Started'),
    (status = 'In Progress'),
    (status = 'Completed'),
    (due_status = 'on_track'),
    (due_status = 'due_soon'),
    (due_status = 'overdue'),
    (due_status = 'completed'),
    (due_status = 'completed_late'),
    (due_status = 'exempt')
  FROM enrollments
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_uncounted AFTER DELETE ON supervisor_scope BEGIN
  INSERT INTO enrollment_counts (audience, course_id, not_started, in_progress, completed, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'supervisor:' || old.supervisor_id, course_id,
    -(status = 'Not Started'),
    -(status = 'In Progress'),
    -(status = 'Completed'),
    -(due_status = 'on_track'),
    -(due_status = 'due_soon'),
    -(due_status = 'overdue'),
    -(due_status = 'completed'),
    -(due_status = 'completed_late'),
    -(due_status = 'exempt')
  FROM enrollments
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    not_started = not_started + excluded.not_started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed,
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_due_inserted AFTER INSERT ON enrollments
WHEN new.due_status <> 'no_due_date' BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT audience,
    (new.due_status = 'on_track'),
    (new.due_status = 'due_soon'),
    (new.due_status = 'overdue'),
    (new.due_status = 'completed'),
    (new.due_status = 'completed_late'),
    (new.due_status = 'exempt')
  FROM (
    SELECT audience FROM audiences WHERE user_id = new.user_id
  )
  WHERE true
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_due_updated AFTER UPDATE OF due_status ON enrollments
WHEN old.due_status <> new.due_status BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT audience,
    (new.due_status = 'on_track') - (old.due_status = 'on_track'),
    (new.due_status = 'due_soon') - (old.due_status = 'due_soon'),
    (new.due_status = 'overdue') - (old.due_status = 'overdue'),
    (new.due_status = 'completed') - (old.due_status = 'completed'),
    (new.due_status = 'completed_late') - (old.due_status = 'completed_late'),
    (new.due_status = 'exempt') - (old.due_status = 'exempt')
  FROM (
    SELECT audience FROM audiences WHERE user_id = new.user_id
  )
  WHERE true
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_due_deleted AFTER DELETE ON enrollments
WHEN old.due_status <> 'no_due_date' BEGIN
  UPDATE due_counts SET
    on_track = on_track - (old.due_status = 'on_track'),
    due_soon = due_soon - (old.due_status = 'due_soon'),
    overdue = overdue - (old.due_status = 'overdue'),
    completed_on_time = completed_on_time - (old.due_status = 'completed'),
    completed_late = completed_late - (old.due_status = 'completed_late'),
    exempt = exempt - (old.due_status = 'exempt')
  WHERE (audience) IN (
    SELECT audience FROM audiences WHERE user_id = old.user_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER group_members_due_counted AFTER INSERT ON group_members BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'group:' || new.group_id,
    sum((due_status = 'on_track')),
    sum((due_status = 'due_soon')),
    sum((due_status = 'overdue')),
    sum((due_status = 'completed')),
    sum((due_status = 'completed_late')),
    sum((due_status = 'exempt'))
  FROM enrollments
  WHERE user_id = new.user_id AND due_status <> 'no_due_date' GROUP BY user_id
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_due_uncounted AFTER DELETE ON group_members BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'group:' || old.group_id,
    sum(-(due_status = 'on_track')),
    sum(-(due_status = 'due_soon')),
    sum(-(due_status = 'overdue')),
    sum(-(due_status = 'completed')),
    sum(-(due_status = 'completed_late')),
    sum(-(due_status = 'exempt'))
  FROM enrollments
  WHERE user_id = old.user_id AND due_status <> 'no_due_date' GROUP BY user_id
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_due_counted AFTER INSERT ON portal_members BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'portal:' || new.portal_id,
    sum((due_status = 'on_track')),
    sum((due_status = 'due_soon')),
    sum((due_status = 'overdue')),
    sum((due_status = 'completed')),
    sum((due_status = 'completed_late')),
    sum((due_status = 'exempt'))
  FROM enrollments
  WHERE user_id = new.user_id AND due_status <> 'no_due_date' GROUP BY user_id
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_due_uncounted AFTER DELETE ON portal_members BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'portal:' || old.portal_id,
    sum(-(due_status = 'on_track')),
    sum(-(due_status = 'due_soon')),
    sum(-(due_status = 'overdue')),
    sum(-(due_status = 'completed')),
    sum(-(due_status = 'completed_late')),
    sum(-(due_status = 'exempt'))
  FROM enrollments
  WHERE user_id = old.user_id AND due_status <> 'no_due_date' GROUP BY user_id
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_due_counted AFTER INSERT ON supervisor_scope BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'supervisor:' || new.supervisor_id,
    sum((due_status = 'on_track')),
    sum((due_status = 'due_soon')),
    sum((due_status = 'overdue')),
    sum((due_status = 'completed')),
    sum((due_status = 'completed_late')),
    sum((due_status = 'exempt'))
  FROM enrollments
  WHERE user_id = new.user_id AND due_status <> 'no_due_date' GROUP BY user_id
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_due_uncounted AFTER DELETE ON supervisor_scope BEGIN
  INSERT INTO due_counts (audience, on_track, due_soon, overdue, completed_on_time, completed_late, exempt)
  SELECT 'supervisor:' || old.supervisor_id,
    sum(-(due_status = 'on_track')),
    sum(-(due_status = 'due_soon')),
    sum(-(due_status = 'overdue')),
    sum(-(due_status = 'completed')),
    sum(-(due_status = 'completed_late')),
    sum(-(due_status = 'exempt'))
  FROM enrollments
  WHERE user_id = old.user_id AND due_status <> 'no_due_date' GROUP BY user_id
  ON CONFLICT (audience) DO UPDATE SET
    on_track = on_track + excluded.on_track,
    due_soon = due_soon + excluded.due_soon,
    overdue = overdue + excluded.overdue,
    completed_on_time = completed_on_time + excluded.completed_on_time,
    completed_late = completed_late + excluded.completed_late,
    exempt = exempt + excluded.exempt;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_user_first_name_key_changed AFTER UPDATE OF first_name_key ON users
WHEN old.first_name_key <> new.first_name_key BEGIN
  UPDATE enrollments SET first_name_key = new.first_name_key
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_user_last_name_key_changed AFTER UPDATE OF last_name_key ON users
WHEN old.last_name_key <> new.last_name_key BEGIN
  UPDATE enrollments SET last_name_key = new.last_name_key
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER activities_course_deleted BEFORE DELETE ON courses BEGIN
  UPDATE activities SET course_name = old.name WHERE course_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER activities_inserted AFTER INSERT ON activities BEGIN
  INSERT INTO counters (key, value)
  VALUES ('activities:verb:' || new.verb, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER activities_deleted AFTER DELETE ON activities BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'activities:verb:' || old.verb;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE learning_paths_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE learning_paths_terms USING fts5vocab('learning_paths_search', 'row');
--> statement-breakpoint
CREATE TRIGGER learning_paths_search_changed AFTER UPDATE OF search_text ON learning_paths
WHEN old.search_text <> new.search_text BEGIN
  UPDATE learning_paths_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_inserted AFTER INSERT ON learning_paths BEGIN
  INSERT INTO learning_paths_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('learning_paths', 1), ('learning_paths:' || new.type, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_type_changed AFTER UPDATE OF type ON learning_paths
WHEN old.type <> new.type BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'learning_paths:' || old.type;
  INSERT INTO counters (key, value)
  VALUES ('learning_paths:' || new.type, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_deleted AFTER DELETE ON learning_paths BEGIN
  DELETE FROM learning_paths_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key IN ('learning_paths', 'learning_paths:' || old.type);
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_courses_inserted AFTER INSERT ON learning_path_courses BEGIN
  UPDATE learning_paths SET
    course_count = course_count + 1,
    estimated_minutes = learning_paths.estimated_minutes + courses.estimated_minutes,
    rating_sum = learning_paths.rating_sum + courses.rating_sum,
    rating_count = learning_paths.rating_count + courses.rating_count
  FROM courses
  WHERE courses.id = new.course_id AND learning_paths.id = new.learning_path_id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_courses_deleted AFTER DELETE ON learning_path_courses BEGIN
  UPDATE learning_paths SET
    course_count = course_count - 1,
    estimated_minutes = learning_paths.estimated_minutes - courses.estimated_minutes,
    rating_sum = learning_paths.rating_sum - courses.rating_sum,
    rating_count = learning_paths.rating_count - courses.rating_count
  FROM courses
  WHERE courses.id = old.course_id AND learning_paths.id = old.learning_path_id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_course_changed AFTER UPDATE OF estimated_minutes, rating_sum, rating_count ON courses
WHEN old.estimated_minutes <> new.estimated_minutes OR old.rating_sum <> new.rating_sum OR old.rating_count <> new.rating_count BEGIN
  UPDATE learning_paths SET
    estimated_minutes = estimated_minutes + new.estimated_minutes - old.estimated_minutes,
    rating_sum = rating_sum + new.rating_sum - old.rating_sum,
    rating_count = rating_count + new.rating_count - old.rating_count
  WHERE id IN (SELECT learning_path_id FROM learning_path_courses WHERE course_id = new.id);
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_certificates_counted AFTER UPDATE OF certificate_count ON enrollments
WHEN old.certificate_count <> new.certificate_count BEGIN
  UPDATE learning_path_enrollments SET
    certificate_count = certificate_count + new.certificate_count - old.certificate_count
  WHERE user_id = new.user_id AND learning_path_id IN (
    SELECT learning_path_id FROM learning_path_courses WHERE course_id = new.course_id);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE assignment_rules_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE assignment_rules_terms USING fts5vocab('assignment_rules_search', 'row');
--> statement-breakpoint
CREATE TRIGGER assignment_rules_search_changed AFTER UPDATE OF search_text ON assignment_rules
WHEN old.search_text <> new.search_text BEGIN
  UPDATE assignment_rules_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_rules_inserted AFTER INSERT ON assignment_rules BEGIN
  INSERT INTO assignment_rules_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('assignment_rules', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_rules_deleted AFTER DELETE ON assignment_rules BEGIN
  DELETE FROM assignment_rules_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'assignment_rules';
END;
--> statement-breakpoint
CREATE TRIGGER assignment_members_inserted AFTER INSERT ON assignment_members BEGIN
  UPDATE assignment_rules SET user_count = user_count + 1 WHERE id = new.rule_id;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_members_deleted AFTER DELETE ON assignment_members BEGIN
  UPDATE assignment_rules SET user_count = user_count - 1 WHERE id = old.rule_id;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_claims_pending_inserted AFTER INSERT ON assignment_claims
WHEN new.pending BEGIN
  UPDATE assignment_rules SET pending_count = pending_count + 1 WHERE id = new.rule_id;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_claims_pending_deleted AFTER DELETE ON assignment_claims
WHEN old.pending BEGIN
  UPDATE assignment_rules SET pending_count = pending_count - 1 WHERE id = old.rule_id;
END;
--> statement-breakpoint
CREATE TRIGGER assignment_claims_pending_changed AFTER UPDATE OF pending ON assignment_claims
WHEN old.pending <> new.pending BEGIN
  UPDATE assignment_rules SET pending_count = pending_count + new.pending - old.pending WHERE id = new.rule_id;
END;
--> statement-breakpoint
CREATE TRIGGER users_queued AFTER INSERT ON users BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_changed_queued AFTER UPDATE OF user_type, disabled, membership_id, membership_expires_at, time_zone ON users
WHEN old.user_type IS NOT new.user_type OR old.disabled IS NOT new.disabled OR old.membership_id IS NOT new.membership_id OR old.membership_expires_at IS NOT new.membership_expires_at OR old.time_zone IS NOT new.time_zone BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_queued AFTER INSERT ON group_members BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_unqueued AFTER DELETE ON group_members BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT old.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_queued AFTER INSERT ON portal_members BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_unqueued AFTER DELETE ON portal_members BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT old.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_queued AFTER INSERT ON user_categories BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_unqueued AFTER DELETE ON user_categories BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT old.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER custom_field_values_queued AFTER INSERT ON custom_field_values BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
