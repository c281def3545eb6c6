import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"

type Certificate = RecordOf<"/api/user-certificates/{id}">

/** Their certificates, to be downloaded, and by staff to be taken back. */
export function UserCertificates({ id }: { id: number }) {
  const isStaff = may(useMe(), "staff")
  const [asked, ask] = useState<Certificate>()
  const takeBack = useChange({
    call: (certificate: Certificate) =>
      api.PUT("/api/user/{id}/delete-certificate", { params: { path: { id } }, body: { id: certificate.id } }),
    changes: ["/api/user"],
  })
  return (
    <>
      <Listing
        path="/api/user-certificates/{id}"
        caption={t("users:certificates")}
        keyOf={(certificate) => certificate.id}
        names={{ id }}
        columns={[
          { key: "course", title: t("users:course"), sort: "courseName", render: ({ courseName }) => courseName },
          {
            key: "issued",
            title: t("users:issued"),
            sort: "issueDate",
            render: ({ issueDate }) => <Time value={issueDate} />,
          },
          {
            key: "acts",
            title: t("users:certificate"),
            render: (certificate) => (
              <div class="actions">
                <a
                  href={`/api/user-certificate/${certificate.id}/download`}
                  download
                  aria-label={t("users:certificate.download", { course: certificate.courseName })}
                >
                  {t("download")}
                </a>
                {isStaff && (
                  <button
                    type="button"
                    class="plain"
                    aria-label={t("users:certificate.revoke", { course: certificate.courseName })}
                    onClick={() => ask(certificate)}
                  >
                    {t("users:revoke")}
                  </button>
                )}
              </div>
            ),
          },
        ]}
      />
      {asked && (
        <Confirm
          title={t("users:certificate.revoke", { course: asked.courseName })}
          confirm={t("users:revoke")}
          onClose={() => ask(undefined)}
          onConfirm={() => takeBack.mutateAsync(asked)}
        >
          <p>{t("users:revoke.text")}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </>
  )
}
