/** Replaces zod's index of languages in the bundle, so that only English is included (see wrangler.toml). */
export { default as en } from "zod/v4/locales/en.js"
