import { Account } from "./page.tsx"

/** The API reference: Scalar's bundle, served by this Worker, with this Worker's OpenAPI document. */
export const DocsPage = () => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>API reference · Lectern</title>
      <link rel="icon" href="data:," />
    </head>
    <body>
      <Account />
      <nav aria-label="Documentation">
        <a href="/docs/guides">Guides</a>
      </nav>
      <script
        id="api-reference"
        data-url="/openapi.json"
        data-configuration={JSON.stringify({
          withDefaultFonts: false,
          telemetry: false,
          hideClientButton: true,
          agent: { disabled: true },
          showDeveloperTools: "never",
        })}
      />
      <script src="/assets/reference.js" />
    </body>
  </html>
)
