// Loaded into wrangler's process: a server whose start was killed stops as well.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
