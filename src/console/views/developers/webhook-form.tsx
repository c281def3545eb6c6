import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Choices, TextField, type Values } from "../../ui/form.tsx"
import { EVENT_TYPES } from "./event-types.ts"

export const toWebhookBody = (values: Values) => ({
  url: values.text("url"),
  events: values.all("events") as Schemas["NewWebhook"]["events"],
  description: values.text("description"),
})

export const WebhookFields = ({ existing }: { existing?: Schemas["Webhook"] }) => (
  <>
    <TextField
      name="url"
      type="url"
      dir="ltr"
      label={t("developers:webhooks.url")}
      hint={t("developers:webhooks.url.hint")}
      defaultValue={existing?.url}
      required
      maxLength={2000}
    />
    <TextField
      name="description"
      label={t("developers:webhooks.description")}
      defaultValue={existing?.description}
      maxLength={500}
    />
    <div class="many">
      <Choices
        name="events"
        label={t("developers:webhooks.events")}
        options={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
        values={existing?.events ?? []}
      />
    </div>
  </>
)
