import { useRef } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField, type Values } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { LanguageField, TimeZoneField, useLanguageName } from "../../ui/region-fields.tsx"
import { LookFields, SenderFields, toBrandingBody } from "./brand-fields.tsx"
import { BrandPreview, toPreview, useFormValues } from "./brand-preview.tsx"
import "./settings.css"

type Settings = DataOf<"/api/settings", "get">

const UNBRANDED = { logoUrl: null, primaryColor: null, secondaryColor: null, senderName: null, replyTo: null }

/** An empty value clears a setting. */
const toChanges = (values: Values) => ({
  ...toBrandingBody(values),
  name: values.text("name"),
  timeZone: values.text("timeZone"),
  language: values.text("language"),
})

interface SettingsFormProps {
  settings: Settings
  version: string
  refetch: () => Promise<unknown>
}

function SettingsForm({ settings, version, refetch }: SettingsFormProps) {
  const container = useRef<HTMLDivElement>(null)
  const values = useFormValues(container)
  const nameOfLanguage = useLanguageName()
  const { effective, source } = settings
  const change = useChange({
    call: (body: ReturnType<typeof toChanges>) => api.PUT("/api/settings", { body, headers: { "If-Match": version } }),
    invalidates: ["/api/settings", "/api/me"],
  })
  const nameHint = source.name === "environment" ? t("settings:name.environment", { name: effective.name }) : undefined
  return (
    <div class="split" ref={container}>
      <Form
        submit={t("save")}
        onSubmit={async (submitted) => {
          await refetchOnConflict(() => change.mutateAsync(toChanges(submitted)), refetch)
          await refetch()
        }}
      >
        <section class="form-part" aria-labelledby="branding">
          <h2 id="branding">{t("settings:branding")}</h2>
          <TextField
            name="name"
            label={t("settings:name")}
            hint={nameHint ?? t("settings:name.hint")}
            defaultValue={settings.name ?? ""}
            placeholder={effective.name}
            maxLength={100}
          />
          <LookFields brand={settings} />
        </section>
        <section class="form-part" aria-labelledby="email">
          <h2 id="email">{t("settings:email")}</h2>
          <SenderFields brand={settings} fallback={effective.senderName} />
        </section>
        <section class="form-part" aria-labelledby="region">
          <h2 id="region">{t("settings:region")}</h2>
          <p class="quiet">{t("settings:region.about")}</p>
          <div class="columns">
            <TimeZoneField
              name="timeZone"
              label={t("settings:time-zone")}
              value={settings.timeZone}
              fallback={effective.timeZone}
            />
            <LanguageField
              name="language"
              label={t("language")}
              value={settings.language}
              fallback={t("settings:default", { value: nameOfLanguage("en") })}
            />
          </div>
        </section>
      </Form>
      <BrandPreview brand={toPreview(values, effective.name, UNBRANDED)} />
    </div>
  )
}

/** The academy's name, brand, mail sender and region. */
export default function AcademySettings() {
  const settings = useEditableRecord("/api/settings", {})
  return (
    <Page title={t("settings:title")}>
      <Loaded query={settings}>
        {({ record, version }) => (
          <SettingsForm settings={record} version={version} refetch={() => settings.refetch()} />
        )}
      </Loaded>
    </Page>
  )
}
