-- A link or temporary password is worth nothing once the user's password or address has changed or the user is
-- disabled: whatever changes those columns voids them in the same batch.
CREATE TRIGGER users_credentials_changed AFTER UPDATE OF password_hash, email, disabled ON users
WHEN old.password_hash IS NOT new.password_hash OR old.email <> new.email OR new.disabled BEGIN
  DELETE FROM password_links WHERE user_id = new.id;
  DELETE FROM temporary_passwords WHERE user_id = new.id;
END;
