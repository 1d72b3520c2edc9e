BEGIN TRANSACTION;
CREATE TABLE cases (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	scheme VARCHAR(100) NOT NULL, 
	implementation VARCHAR(100) NOT NULL, 
	operation VARCHAR(50) NOT NULL, 
	input_bytes BIGINT NOT NULL, 
	aad_bytes BIGINT DEFAULT '0' NOT NULL, 
	cores BIGINT DEFAULT '0' NOT NULL, 
	target VARCHAR(100) NOT NULL, 
	provider VARCHAR(100) NOT NULL, 
	file VARCHAR(400) NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (run_id, scheme, implementation, operation, input_bytes, target, aad_bytes, cores, file), 
	FOREIGN KEY(run_id) REFERENCES runs (id)
);
INSERT INTO "cases" VALUES(1,1,'aes-128-gcm','openssl','encrypt-message',16,20,0,'host','openssl','','finished');
INSERT INTO "cases" VALUES(2,1,'sha256','sunjce','digest',64,0,2,'host','sunjce','','failed');
INSERT INTO "cases" VALUES(3,2,'aes-128-cbc','openssl','encrypt',16,0,0,'host','openssl','','finished');
CREATE TABLE failures (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	case_id INTEGER, 
	scheme VARCHAR(100) NOT NULL, 
	implementation VARCHAR(100) NOT NULL, 
	target VARCHAR(100) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	message TEXT NOT NULL, 
	operation VARCHAR(50), 
	input_bytes BIGINT, 
	aad_bytes BIGINT DEFAULT '0' NOT NULL, 
	cores BIGINT DEFAULT '0' NOT NULL, 
	vector TEXT, 
	file TEXT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(run_id) REFERENCES runs (id), 
	UNIQUE (case_id), 
	FOREIGN KEY(case_id) REFERENCES cases (id)
);
INSERT INTO "failures" VALUES(1,1,2,'sha256','sunjce','host','wrong-answer','bad','digest',64,0,2,'tc 7',NULL);
CREATE TABLE leaks (
	id INTEGER NOT NULL, 
	case_id INTEGER NOT NULL, 
	varied VARCHAR(100) NOT NULL, 
	content JSON NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (case_id, varied), 
	FOREIGN KEY(case_id) REFERENCES cases (id)
);
INSERT INTO "leaks" VALUES(1,3,'key','{"verdict": "constant"}');
CREATE TABLE meta (
	"key" VARCHAR(50) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('format','motebench-store');
INSERT INTO "meta" VALUES('schema','5');
CREATE TABLE notes (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	case_id INTEGER, 
	text TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(run_id) REFERENCES runs (id), 
	FOREIGN KEY(case_id) REFERENCES cases (id)
);
INSERT INTO "notes" VALUES(1,1,1,'a note');
CREATE TABLE runs (
	id INTEGER NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	study TEXT NOT NULL, 
	started VARCHAR(40) NOT NULL, 
	finished VARCHAR(40), 
	status VARCHAR(20) NOT NULL, 
	version VARCHAR(50) NOT NULL, 
	seed BIGINT NOT NULL, 
	settings JSON NOT NULL, 
	environment JSON NOT NULL, 
	environment_end JSON, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "runs" VALUES(1,'recorded','study text','2026-11-24T13:23:22+00:00','2026-11-24T13:23:22+00:00','finished','0.1.0',20261124,'{"study": "a study"}','{"host": {"cpu_model": "a processor"}}',NULL);
INSERT INTO "runs" VALUES(2,'leaks','','2026-11-30T03:51:10+00:00','2026-11-30T03:51:10+00:00','finished','0.1.0',1,'{"kind": "leak test"}','{}',NULL);
CREATE TABLE samples (
	series_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	raw DOUBLE NOT NULL, 
	batch BIGINT NOT NULL, 
	position INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	invocation INTEGER, 
	disturbed VARCHAR(200) DEFAULT '' NOT NULL, 
	PRIMARY KEY (series_id, round), 
	FOREIGN KEY(series_id) REFERENCES series (id)
)
 WITHOUT ROWID

;
INSERT INTO "samples" VALUES(1,0,1000.0,10,0,0.5,NULL,'');
INSERT INTO "samples" VALUES(1,1,1001.5,10,0,1.5,NULL,'the processor was away');
CREATE TABLE series (
	id INTEGER NOT NULL, 
	case_id INTEGER NOT NULL, 
	metric VARCHAR(50) NOT NULL, 
	raw_unit VARCHAR(20) NOT NULL, 
	scale DOUBLE NOT NULL, 
	overhead DOUBLE NOT NULL, 
	source VARCHAR(200) NOT NULL, 
	evidence VARCHAR(20) NOT NULL, 
	type_b DOUBLE, 
	PRIMARY KEY (id), 
	UNIQUE (case_id, metric), 
	FOREIGN KEY(case_id) REFERENCES cases (id)
);
INSERT INTO "series" VALUES(1,1,'time','ns',1.0,20.0,'clock_gettime','measured',NULL);
CREATE INDEX failures_of_run ON failures (run_id);
CREATE INDEX notes_of_run ON notes (run_id);
COMMIT;
