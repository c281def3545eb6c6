import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Cancel, Confirm, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { CLASSES } from "./affected-queries.ts"
import { useOnePlace } from "./any-registration.ts"
import type { ClassPart } from "./class-tab.ts"

type Recording = Schemas["ClassRecording"]

const SECONDS = 60

/** Names a recording that stands elsewhere. */
function AddRecording({ id, zone, onClose }: { id: number; zone: string; onClose: () => void }) {
  const add = useChange({
    call: (body: Schemas["NewClassRecording"]) => api.POST("/api/class-recording/create", { body }),
    changes: CLASSES,
  })
  return (
    <Dialog title={t("classes:recording.add")} onClose={onClose}>
      <Form
        submit={t("classes:recording.add")}
        onSubmit={async (values) => {
          const [minutes, recordedAt] = [values.number("duration"), values.optional("recordedAt")]
          await add.mutateAsync({
            classId: id,
            name: values.text("name"),
            url: values.text("url"),
            ...(minutes !== undefined && { duration: Math.round(minutes * SECONDS) }),
            ...(recordedAt && { recordedAt }),
          })
          onClose()
        }}
        more={<Cancel />}
      >
        <TextField name="name" label={t("classes:name")} required maxLength={100} />
        <TextField name="url" label={t("classes:recording.url")} type="url" required dir="ltr" maxLength={2000} />
        <TextField name="duration" label={t("classes:recording.minutes")} type="number" min={0} step="any" />
        <TextField
          name="recordedAt"
          label={t("classes:recording.at")}
          hint={t("classes:recording.at.hint", { zone })}
          type="datetime-local"
        />
      </Form>
    </Dialog>
  )
}

function Recordings({ registrationId }: { registrationId: number }) {
  const me = useMe()
  const [removes, setRemoves] = useState<Recording>()
  const read = useRead("/api/class/webinar/details", { params: { query: { registrationId } } })
  const remove = useChange({
    call: (id: number) => api.POST("/api/class-recording/delete", { body: { delete_ids: [id] } }),
    changes: CLASSES,
  })
  return (
    <Loaded of={read}>
      {({ recordings }) =>
        recordings.length === 0 ? (
          <p class="empty">{t("classes:recordings.none")}</p>
        ) : (
          <>
            <Table
              caption={t("classes:tab.recordings")}
              rows={recordings}
              keyOf={({ id }) => id}
              columns={[
                {
                  key: "name",
                  title: t("classes:name"),
                  render: ({ name, url }) => (
                    <a href={url} rel="noreferrer">
                      {name}
                    </a>
                  ),
                },
                {
                  key: "on",
                  title: t("classes:recording.at"),
                  render: ({ recorded_on }) => <Time value={recorded_on} />,
                },
                {
                  key: "minutes",
                  title: t("classes:recording.minutes"),
                  numeric: true,
                  render: ({ duration }) => (duration ? number(Math.round(duration / SECONDS)) : t("none")),
                },
                ...(may(me, "staff")
                  ? [
                      {
                        key: "remove",
                        title: t("classes:actions"),
                        render: (one: Recording) => (
                          <button
                            type="button"
                            aria-label={t("classes:delete.one", { name: one.name })}
                            onClick={() => setRemoves(one)}
                          >
                            {t("delete")}
                          </button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            {removes && (
              <Confirm
                title={t("classes:recording.delete")}
                confirm={t("delete")}
                onClose={() => setRemoves(undefined)}
                onConfirm={() => remove.mutateAsync(removes.id)}
              >
                <p>{t("classes:recording.delete.text", { name: removes.name })}</p>
              </Confirm>
            )}
          </>
        )
      }
    </Loaded>
  )
}

/** What was recorded of the class. */
export function ClassRecordings({ id, first }: ClassPart) {
  const me = useMe()
  const [adds, setAdds] = useState(false)
  const place = useOnePlace(id)
  return (
    <>
      {may(me, "staff") && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => setAdds(true)}>
            {t("classes:recording.add")}
          </button>
        </div>
      )}
      <Loaded of={place}>
        {(registrationId) =>
          registrationId === null ? (
            <p class="empty">{t("classes:no-attendees")}</p>
          ) : (
            <Recordings registrationId={registrationId} />
          )
        }
      </Loaded>
      {adds && <AddRecording id={id} zone={first.timeZone} onClose={() => setAdds(false)} />}
    </>
  )
}
