import { consentDocuments, consentVersions } from "#forms/identity";
import { openClient } from "../../../db/client.ts";

/**
 * Records that the administrators a server has made at its start agree to the documents in force, as they would at their first sign-in. So a
 * test that signs one in comes straight to what it tests. `databaseUrl` is the owner's address.
 */
export async function agreeForAdministrators(databaseUrl: string): Promise<void> {
  const client = openClient(databaseUrl, { max: 1 });
  try {
    for (const document of consentDocuments)
      await client`
        INSERT INTO identity.consents (user_id, document, version, consented_at)
        SELECT id, ${document}, ${consentVersions[document]}, now() FROM identity.users WHERE is_admin
        ON CONFLICT DO NOTHING`;
  } finally {
    await client.end();
  }
}

/** Has a person agreed to the first version of the documents only, as somebody who signed up under it. */
export async function agreeToFirstVersion(databaseUrl: string, userId: number): Promise<void> {
  const client = openClient(databaseUrl, { max: 1 });
  try {
    await client`DELETE FROM identity.consents WHERE user_id = ${userId}`;
    for (const document of consentDocuments)
      await client`
        INSERT INTO identity.consents (user_id, document, version, consented_at)
        VALUES (${userId}, ${document}, '2025-05-12', now())`;
  } finally {
    await client.end();
  }
}
