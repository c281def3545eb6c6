declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("../src/index.ts")
  }
  interface Env {
    APP_SECRET: string
    /** The number of members in work-bounds.test.ts; empty: a few, with a lower limit. */
    BOUNDS_SIZE: string
    APP_SECRET_PREVIOUS?: string
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[]
    SNAPSHOTS: Fetcher
    QUIZ_LEARNERS: string
    TEST_MATRIX: string
  }
}
