ALTER TABLE `users` ADD `job_title` text DEFAULT '' NOT NULL;
