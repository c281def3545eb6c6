declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("../src/index.ts")
  }
  interface Env {
    APP_SECRET: string
    APP_SECRET_PREVIOUS?: string
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[]
    SNAPSHOTS: Fetcher
    TEST_MATRIX: string
  }
}
