import type { Context } from "hono"
import type { AppEnv } from "../lib/web/app-env.ts"
import { answerPage, Layout, useFrame } from "./page.tsx"

const NotFoundPage = () => (
  <Layout title="Page not found">
    <main>
      <h1>Page not found</h1>
      <p class="error">There is no page at this address. Check it for typing errors.</p>
      <p>
        <a href={useFrame().start}>Go to the start page</a>
      </p>
    </main>
  </Layout>
)

/** What a browser shows for an address without a page. */
export const answerNotFound = (c: Context<AppEnv>) => answerPage(c, <NotFoundPage />, 404)
