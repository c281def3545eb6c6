/** Stands in the bundle for zod's index of its languages (see wrangler.toml). */
export { default as en } from "zod/v4/locales/en.js"
