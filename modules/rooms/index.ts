export { broadcastFrame } from "./lib/core/broadcast.ts";
export { readRoom } from "./lib/core/find-room.ts";
export { messageSchema as messageAnswer } from "./lib/core/responses.ts";
export { type RoomGuards, registerRoomGuards } from "./lib/core/room-guards.ts";
export { endRoom, isRoomOpen, lockRoom, lockRooms, memberRole, type Seats } from "./lib/core/room-locks.ts";
export { hasPictureFile, pictureFiles } from "./lib/images/picture-files.ts";
export { picturePolicy } from "./lib/images/picture-policy.ts";
export { announcedBytes, imageOfForm, isUpload, readUpload } from "./lib/images/read-upload.ts";
export { sendImage } from "./lib/images/send-image.ts";
export { findStoredImage, listStoredImages, type StoredImage } from "./lib/images/stored-images.ts";
export { createRoom } from "./lib/membership/create-room.ts";
export { deleteRoom } from "./lib/membership/delete-room.ts";
export { inviteToRoom, renewInvite } from "./lib/membership/invite-to-room.ts";
export { joinByCode } from "./lib/membership/join-room.ts";
export { leaveRoom } from "./lib/membership/leave-room.ts";
export { listRooms } from "./lib/membership/list-rooms.ts";
export { listRoomsByTurn, searchRooms } from "./lib/membership/list-rooms-by-turn.ts";
export { readInvitation } from "./lib/membership/read-invitation.ts";
export { readRoomNames } from "./lib/membership/room-names.ts";
export { setRole } from "./lib/membership/set-role.ts";
export { readHistory } from "./lib/messages/history.ts";
export { type AnswerSince, findLastAnswer } from "./lib/messages/last-answer.ts";
export { markRead } from "./lib/messages/mark-read.ts";
export { countMessagesSince } from "./lib/messages/messages-since.ts";
export { postNotice } from "./lib/messages/post-notice.ts";
export {
  findReportableMessage,
  listReportableMessages,
  type ReportedMessage,
} from "./lib/messages/reported-message.ts";
export { sendMessage } from "./lib/messages/send-message.ts";
export { findUnsharedUntil } from "./lib/messages/shared-text.ts";
export { readTranscriptPage } from "./lib/messages/transcript.ts";
export { clearRoom } from "./lib/privacy/erase-messages.ts";
export { type MessageProof, messageProofs } from "./lib/proof/sealed-messages.ts";
export { type FoundMessage, searchMessages } from "./lib/search/search-messages.ts";
export { notePagePresence, notePageVisit } from "./lib/seen/page-presence.ts";
export { presentMembers } from "./lib/socket/list/present-members.ts";
export { closeSockets, startRooms, stopRooms } from "./lib/socket/socket-lifecycle.ts";
export { countUnread } from "./lib/unread/count-unread.ts";
