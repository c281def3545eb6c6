declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("../src/index.ts")
  }
  interface Env {
    APP_SECRET: string
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[]
  }
}
