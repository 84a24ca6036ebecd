"""What trainers print, one each: the points in it. To teach the reader another, begin with a row here.

Those whose counters follow from words alone (``step 3``, ``epoch=0.5``) need nothing else; others have a row in
`bot/domain/metrics/trainers.py` too.
"""

from math import nan

import pytest

from tests.domain.metrics.reading import said

OUTPUTS: dict[str, tuple[str, list[tuple[str, float, float]]]] = {
    "Hugging Face 5": (
        "{'loss': '2.31', 'grad_norm': '1.02', 'epoch': '0.05'}\n{'eval_loss': '2.1', 'eval_runtime': '3.2', 'epoch': '0.1'}",
        [("loss", 0.05, 2.31), ("grad_norm", 0.05, 1.02), ("eval_loss", 0.1, 2.1)],
    ),
    "TRL, GRPO": (
        "{'loss': 0.0, 'num_tokens': 18211.0, 'completions/mean_length': 120.5, 'reward': 0.75, 'kl': 0.0004, 'epoch': 0.02}",
        [("loss", 0.02, 0.0), ("reward", 0.02, 0.75), ("kl", 0.02, 0.0004)],
    ),
    "TRL, DPO": (
        "{'loss': 0.6931, 'rewards/chosen': 0.01, 'rewards/margins': -0.03, 'logps/chosen': -210.5, 'epoch': 0.1}",
        [("loss", 0.1, 0.6931), ("rewards/chosen", 0.1, 0.01), ("rewards/margins", 0.1, -0.03)],
    ),
    "Lightning": (
        "Epoch 0:  50%|█████     | 5/10 [00:01<00:01,  4.5it/s, v_num=3, train_loss_step=1.250, val_loss=1.100]",
        [("train_loss_step", 5, 1.25), ("val_loss", 5, 1.1)],
    ),
    "Lightning, rich": (
        "Epoch 1/9 ━━━━━━━━━━━━━━ 10/10 0:00:01 • 0:00:00 9.1it/s v_num: 0.000 train_loss: 0.812",
        [("train_loss", 1, 0.812)],
    ),
    "litGPT": (
        "Epoch 1 | iter 20 step 5 | loss train: 1.234, val: n/a | iter time: 100.20 ms (step) remaining time: 0:10:00\n"
        "iter 100: val loss 1.1000, val time: 2000.00 ms",
        [("loss train", 5, 1.234), ("val loss", 100, 1.1)],
    ),
    "torchtune": (
        "1|20|Loss: 1.2345:   5%|▍         | 20/400 [00:10<03:10,  2.00it/s]\r"
        "1|21|Loss: 1.2000:   5%|▍         | 21/400 [00:10<03:09,  2.00it/s]",
        [("Loss", 20, 1.2345), ("Loss", 21, 1.2)],
    ),
    "torchtune, file": (
        "Step 20 | loss:1.2345 lr:2e-05 tokens_per_second_per_gpu:812.5 grad_norm:1.5",
        [("loss", 20, 1.2345), ("lr", 20, 2e-05), ("grad_norm", 20, 1.5)],
    ),
    "DeepSpeed": (
        "[2024-03-01 10:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[1e-05, 1e-05], mom=[(0.9, 0.95)]\n"
        "steps: 10 loss: 2.3100 iter time (s): 0.512 samples/sec: 31.250",
        [("lr", 10, 1e-05), ("loss", 10, 2.31)],
    ),
    "fairseq": (
        "2024-03-01 10:00:00 | INFO | train_inner | epoch 001:    100 / 1539 loss=12.31, ppl=5092.1, gnorm=2.1, loss_scale=128\n"
        "2024-03-01 10:09:00 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 10.2 | ppl 891.1 | num_updates 1539",
        [("loss", 100, 12.31), ("ppl", 100, 5092.1), ("gnorm", 100, 2.1), ("valid loss", 1539, 10.2), ("valid ppl", 1539, 891.1)],
    ),
    "timm": (
        "Train: 0 [  50/1251 (  4%)]  Loss: 6.95 (6.96)  Time: 0.350s,  731.4/s  LR: 1.000e-06  Data: 0.010 (0.020)\n"
        "Test: [  10/97]  Time: 0.1 (0.2)  Loss:   2.500 (2.600)  Acc@1:  45.000 ( 44.100)",
        [("Loss", 50, 6.95), ("LR", 50, 1e-06), ("Test Loss", 50, 2.5), ("Test Acc@1", 50, 45.0)],
    ),
    "Ultralytics": (
        "      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n"
        "\r        1/3      2.2G      1.234      2.345         12        640:  50%|█████     | 4/8 [00:01<00:01,  3.9it/s]"
        "\r        1/3      2.2G      1.200      2.300         12        640: 100%|██████████| 8/8 [00:02<00:00,  3.9it/s]\n"
        "                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 4/4 [00:01<00:00]\n"
        "                   all        128        929      0.640      0.537      0.605      0.446\n"
        "                person        128        254      0.740      0.637      0.705      0.546\n"
        "      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n"
        "        2/3      2.2G      1.100      2.200         12        640: 100%|██████████| 8/8 [00:02<00:00,  3.9it/s]",
        [
            ("box_loss", 1, 1.2), ("box_loss", 2, 1.1), ("cls_loss", 1, 2.3), ("cls_loss", 2, 2.2),
            ("metrics/precision(B)", 1, 0.64), ("metrics/recall(B)", 1, 0.537), ("metrics/mAP50(B)", 1, 0.605),
            ("metrics/mAP50-95(B)", 1, 0.446),
        ],
    ),
    "detectron2": (
        "[03/01 10:00:00 d2.utils.events]:  eta: 0:10:00  iter: 19  total_loss: 2.105  loss_cls: 1.012  time: 0.41  data_time: 0.01  "
        "lr: 0.00019981  max_mem: 3010M",
        [("total_loss", 19, 2.105), ("loss_cls", 19, 1.012), ("lr", 19, 0.00019981)],
    ),
    "mmdetection 2": (
        "2024-03-01 10:00:00,000 - mmdet - INFO - Epoch [1][50/7330]\tlr: 1.978e-03, eta: 1 day, 2:00:00, loss: 2.105",
        [("lr", 50, 0.001978), ("loss", 50, 2.105)],
    ),
    "OpenMMLab": (
        "03/01 10:00:00 - mmengine - INFO - Epoch(train)  [1][ 50/100]  lr: 1.0000e-02  eta: 0:10:00  time: 0.2  loss: 2.3012\n"
        "03/01 10:01:00 - mmengine - INFO - Epoch(val) [1][20/20]  accuracy/top1: 61.5000  data_time: 0.01",
        [("lr", 50, 0.01), ("loss", 50, 2.3012), ("val accuracy/top1", 50, 61.5)],
    ),
    "OpenMMLab, by iterations": (
        "03/01 10:00:00 - mmengine - INFO - Iter(train) [   50/40000]  lr: 9.9e-03  eta: 3:00:00  loss: 1.9512",
        [("lr", 50, 0.0099), ("loss", 50, 1.9512)],
    ),
    "PaddleDetection": (
        "[03/01 10:00:00] ppdet.engine INFO: Epoch: [0] [ 20/100] learning_rate: 0.000500 loss_xy: 1.1 loss: 4.512 eta: 0:10:00",
        [("learning_rate", 20, 0.0005), ("loss_xy", 20, 1.1), ("loss", 20, 4.512)],
    ),
    "PaddleClas": (
        "[2024/03/01 10:00:00] ppcls INFO: [Train][Epoch 1/20][Iter: 10/52]top1: 0.12500, CELoss: 4.61200, batch_cost: 0.3s",
        [("top1", 10, 0.125), ("CELoss", 10, 4.612)],
    ),
    "PaddleOCR": (
        "[2024/03/01 10:00:00] ppocr INFO: epoch: [1/500], global_step: 10, lr: 0.000100, acc: 0.125000, loss: 25.123000",
        [("lr", 10, 0.0001), ("acc", 10, 0.125), ("loss", 10, 25.123)],
    ),
    "PaddleNLP": (
        "[2024-03-01 10:00:00,000] [    INFO] - loss: 0.693147, learning_rate: 5e-05, global_step: 10, progress_or_epoch: 0.01",
        [("loss", 10, 0.693147), ("learning_rate", 10, 5e-05)],
    ),
    "LightGBM": (
        "[10]\ttraining's binary_logloss: 0.512\tvalid_1's binary_logloss: 0.523",
        [("training's binary_logloss", 10, 0.512), ("valid_1's binary_logloss", 10, 0.523)],
    ),
    "CatBoost": (
        "0:\tlearn: 0.6812000\ttest: 0.6815000\tbest: 0.6815000 (0)\ttotal: 50ms\tremaining: 5s\n"
        "10:\tlearn: 0.6012000\ttest: 0.6215000\tbest: 0.6215000 (10)\ttotal: 90ms\tremaining: 4s",
        [("learn loss", 0, 0.6812), ("learn loss", 10, 0.6012), ("test loss", 0, 0.6815), ("test loss", 10, 0.6215)],
    ),
    "spaCy": (
        "E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE \n"
        "---  ------  ------------  --------  ------  ------  ------  ------\n"
        "  0       0          0.00     45.00    0.10    0.00    0.00    0.00\n"
        "  1     200         25.35    150.12   65.00   60.00   70.00    0.65",
        [
            ("LOSS TOK2VEC", 0, 0.0), ("LOSS TOK2VEC", 200, 25.35), ("LOSS NER", 0, 45.0), ("LOSS NER", 200, 150.12),
            ("ents f1", 0, 0.1), ("ents f1", 200, 65.0), ("ents precision", 0, 0.0), ("ents precision", 200, 60.0),
            ("ents recall", 0, 0.0), ("ents recall", 200, 70.0),
        ],
    ),
    "fastai": (
        "epoch     train_loss  valid_loss  accuracy  time    \n0         0.523100    0.612000    0.81      00:12   \n"
        "1         0.423100    0.512000    0.85      00:12   ",
        [
            ("train_loss", 0, 0.5231), ("train_loss", 1, 0.4231), ("valid_loss", 0, 0.612), ("valid_loss", 1, 0.512),
            ("accuracy", 0, 0.81), ("accuracy", 1, 0.85),
        ],
    ),
    "notebook of Hugging Face": (
        "Step\tTraining Loss\n1\t1.820100\n2\t2.291000", [("Training Loss", 1, 1.8201), ("Training Loss", 2, 2.291)],
    ),
    "JAX, clu": (
        "I0301 10:00:00.123456 140 logging_writer.py:48] [100] learning_rate=0.1, train_loss=2.31",
        [("learning_rate", 100, 0.1), ("train_loss", 100, 2.31)],
    ),
    "JAX, Flax": (
        "I0301 10:00:00.123456 140 train.py:147] epoch:  1, train_loss: 0.2101, train_accuracy: 93.60, test_loss: 0.0601",
        [("train_loss", 1, 0.2101), ("train_accuracy", 1, 93.6), ("test_loss", 1, 0.0601)],
    ),
    "JAX, MaxText": (
        "completed step: 10, seconds: 2.31, TFLOP/s/device: 112.1, Tokens/s/device: 3541.2, total_weights: 16384, loss: 8.412",
        [("loss", 10, 8.412)],
    ),
    "Stable-Baselines": (
        "| rollout/ |     |\n| ep_rew_mean | -21.4 |\n| time/ | |\n| total_timesteps | 2048 |\n| train/ | |\n| loss | 10.1 |\n-----------",
        [("ep_rew_mean", 2048, -21.4), ("loss", 2048, 10.1)],
    ),
    "CleanRL": ("global_step=128, episodic_return=[17.]", [("episodic_return", 128, 17.0)]),
    "ESPnet": (
        "[gpu1] 2024-03-01 10:00:00,000 (trainer:737) INFO: 2epoch:train:1-100batch: iter_time=0.1, loss_ctc=80.1, acc=0.4",
        [("loss_ctc", 100, 80.1), ("acc", 100, 0.4)],
    ),
    "OpenCLIP": (
        "2024-03-01,10:00:00 | INFO | Train Epoch: 0 [  25600/1000000 (3%)] Data (t): 0.1 Batch (t): 0.5, 512.0/s LR: 0.000010 "
        "Logit Scale: 14.286 Loss: 5.5123 (5.6000)",
        [("LR", 25600, 1e-05), ("Loss", 25600, 5.5123)],
    ),
    "NeMo": (
        "Epoch 0: :   2%|▏         | 100/5000 [01:00<50:00, v_num=0, reduced_train_loss=6.120, consumed_samples=25600.0]",
        [("reduced_train_loss", 100, 6.12)],
    ),
    "diffusers": (
        "Steps:   1%|          | 10/1000 [00:10<16:30,  1.0it/s, lr=1e-5, step_loss=0.121]",
        [("lr", 10, 1e-05), ("step_loss", 10, 0.121)],
    ),
    "Ignite": ("[1/10][  100/ 938]  11%|█ , loss=0.5123 [00:01<00:08]", [("loss", 100, 0.5123)]),
    "PyTorch quickstart": (
        "Epoch 1\n-------\nloss: 2.301000  [    0/60000]\nloss: 2.200000  [ 6400/60000]\nTest Error: \n Accuracy: 45.1%, Avg loss: 1.890000",
        [("loss", 0, 2.301), ("loss", 6400, 2.2), ("Accuracy", 6400, 45.1), ("Avg loss", 6400, 1.89)],
    ),
    "llm.c": (
        "step   10/19560 | loss 7.012345 (+1.2z)| norm 2.1 (-0.1z)| lr 4.29e-05 | 512.10 ms | 55.1% bf16 MFU | 1023000 tok/s\nval loss 7.1",
        [("loss", 10, 7.012345), ("lr", 10, 4.29e-05), ("val loss", 10, 7.1)],
    ),
    "speedruns of nanoGPT": (
        "step:10/1750 train_time:1200ms step_avg:120.00ms\nstep:125/1750 val_loss:4.3312 train_time:15000ms step_avg:120ms",
        [("val_loss", 125, 4.3312)],
    ),
    "verl": (
        "step:5 - actor/pg_loss:-0.012 - actor/grad_norm:0.5 - critic/rewards/mean:0.31",
        [("actor/pg_loss", 5, -0.012), ("actor/grad_norm", 5, 0.5), ("critic/rewards/mean", 5, 0.31)],
    ),
    "scikit-learn": ("Iteration 1, loss = 2.30100000\nIteration 2, loss = 1.901", [("loss", 1, 2.301), ("loss", 2, 1.901)]),
    "OLMo": (
        "[2024-04-17 10:00:26] INFO     [olmo.train:816, rank=0] [step=20/739328,epoch=0]\n    train/CrossEntropyLoss=11.25\n"
        "    train/Perplexity=76,880\n    throughput/total_tokens=4,194,304\n    System/Peak GPU Memory (MB)=42,133\n"
        "[2024-04-17 10:00:38] INFO     [olmo.train:816, rank=0] [step=30/739328,epoch=0]\n    train/CrossEntropyLoss=10.75",
        [("train/CrossEntropyLoss", 20, 11.25), ("train/CrossEntropyLoss", 30, 10.75), ("train/Perplexity", 20, 76880)],
    ),
    "OLMo-core": (
        "2025-03-01 10:00:00.123\thost:0\tolmo_core.train.callbacks.console_logger:68\tINFO\t[step=10/???,epoch=1,eta=1h23m]\n"
        "    optim/total grad norm=1.234\n    optim/LR (group 0)=4.0E-04\n    train/CE loss=8.123\n    train/PPL=3,371\n"
        "    throughput/device/TPS (actual avg)=12,345\n"
        "2025-03-01 10:01:00.123\thost:0\tINFO\t[step=20/1000,epoch=1]\n    train/CE loss=7.5",
        [
            ("optim/total grad norm", 10, 1.234), ("optim/LR", 10, 4e-4), ("train/CE loss", 10, 8.123), ("train/CE loss", 20, 7.5),
            ("train/PPL", 10, 3371),
        ],
    ),
    "Composer": (
        "[batch=20/3200]:\n\t Train time/batch: 19\n\t Train loss/train/total: 11.5\n\t Train metrics/train/LanguageCrossEntropy: 11.25\n"
        "[batch=30/3200]:\n\t Train loss/train/total: 10.5\n[Eval batch=1/10] Eval on eval data:\n"
        "\t Eval metrics/eval/LanguageCrossEntropy: 9.5",
        [
            ("Train loss/train/total", 20, 11.5), ("Train loss/train/total", 30, 10.5),
            ("Train metrics/train/LanguageCrossEntropy", 20, 11.25), ("Eval metrics/eval/LanguageCrossEntropy", 30, 9.5),
        ],
    ),
    "Darknet": (
        " 45: 1710.25, 2050.5 avg loss, 0.000009 rate, 22.512 seconds, 2880 images, 34.2 hours left\n"
        "v3 (iou loss, Normalizer: (iou: 0.07, obj: 1.00, cls: 1.00) Region 139 Avg (IOU: 0.25), count: 22, class_loss = 49.5, "
        "iou_loss = 10.5, total_loss = 60.0\nLoaded: 0.000042 seconds\n (next mAP calculation at 1000 iterations)\n"
        " 46: -nan, -nan avg loss, 0.000010 rate, 22.902 seconds, 2944 images\n"
        "9002: 0.25, 0.0625 avg, 0.001000 rate, 3.868 seconds, 576128 images",
        [
            ("loss", 45, 1710.25), ("loss", 46, nan), ("loss", 9002, 0.25), ("avg loss", 45, 2050.5), ("avg loss", 46, nan),
            ("avg loss", 9002, 0.0625), ("learning rate", 45, 9e-06), ("learning rate", 46, 1e-05), ("learning rate", 9002, 0.001),
        ],
    ),
    "Marian": (
        "[2024-03-01 10:00:00] Ep. 1 : Up. 1000 : Sen. 64,000 : Cost 7.125 * 412,445 after 1,653,255 : Time 100.5s : 684.14 words/s : "
        "L.r. 3.0000e-05\n[2024-03-01 10:10:00] [valid] Ep. 1 : Up. 1000 : ce-mean-words : 5.2127 : new best\n"
        "[2024-03-01 10:10:09] [valid] Ep. 1 : Up. 1000 : perplexity : 183.5 : stalled 4 times (last best: 180.5)",
        [
            ("cost loss", 1000, 7.125), ("learning rate", 1000, 3e-05), ("valid ce-mean-words loss", 1000, 5.2127),
            ("valid perplexity", 1000, 183.5),
        ],
    ),
    "nnU-Net": (
        "2024-03-01 10:00:00.123456: Epoch 3 \n2024-03-01 10:00:00.223456: Current learning rate: 0.00973 \n"
        "2024-03-01 10:01:40.123456: train_loss -0.5525 \n2024-03-01 10:01:40.123457: val_loss -0.5249 \n"
        "2024-03-01 10:01:40.123458: Pseudo dice [np.float32(0.8963), np.float32(0.6723)] \n2024-03-01 10:01:40.123459: Epoch time: 96.61 s",
        [("learning rate", 3, 0.00973), ("train_loss", 3, -0.5525), ("val_loss", 3, -0.5249), ("Pseudo dice", 3, 0.8963)],
    ),
    "rsl_rl": (
        "\x1b[1m                       Learning iteration 10/1500                       \x1b[0m\n\n"
        "                       Computation: 50000 steps/s (collection: 0.8s, learning 0.1s)\n"
        "               Value function loss: 0.0123\n                       Mean reward: 12.34\n                   Total timesteps: 100000\n"
        "                       Learning iteration 11/1500                       \n                       Mean reward: 13.34",
        [("Value function loss", 10, 0.0123), ("Mean reward", 10, 12.34), ("Mean reward", 11, 13.34)],
    ),
    "Tianshou": (
        "Epoch #2: 10001it [00:10, 950.1it/s, env_step=10000, len=200, loss=0.5, n/ep=0, n/st=10, rew=200.00]",
        [("loss", 10000, 0.5), ("rew", 10000, 200.0)],
    ),
    "Levanter": (
        "Progress on:train 101it/10000it rate:1.1it/s remaining:2:30:00 elapsed:01:50 postfix:loss=7.12", [("loss", 101, 7.12)],
    ),
    "AllenNLP": (
        "accuracy: 0.5012, loss: 1.2041 ||:  10%|█         | 10/100 [00:10<01:30,  1.0it/s]",
        [("accuracy", 10, 0.5012), ("loss", 10, 1.2041)],
    ),
    "ms-swift": (
        "{'loss': '2.1327', 'grad_norm': '1.72', 'token_acc': '0.5839', 'epoch': '0.32', 'global_step/max_steps': '5/16', 'percentage': '31.25%'}",
        [("loss", 5, 2.1327), ("grad_norm", 5, 1.72), ("token_acc", 5, 0.5839)],
    ),
    "CycleGAN, pix2pix": (
        "(epoch: 1, iters: 100, time: 0.573, data: 0.201) G_GAN: 1.121 G_L1: 20.887 D_real: 0.696 D_fake: 0.642 ",
        [("G_GAN loss", 100, 1.121), ("G_L1 loss", 100, 20.887), ("D_real loss", 100, 0.696), ("D_fake loss", 100, 0.642)],
    ),
    "TensorFlow's estimators": (
        "INFO:tensorflow:loss = 2.31, step = 900 (12.3 sec)\nINFO:tensorflow:global_step/sec: 8.1\n"
        "INFO:tensorflow:Saving dict for global step 1000: accuracy = 0.9836, global_step = 1000, loss = 0.0872",
        [("loss", 900, 2.31), ("eval accuracy", 1000, 0.9836), ("eval loss", 1000, 0.0872)],
    ),
    "Flair": (
        "2024-03-01 10:00:00,123 epoch 1 - iter 10/10 - loss 2.31 - time (sec): 1.2 - samples/sec: 300.1 - lr: 0.1\n"
        "2024-03-01 10:00:07,405 DEV : loss 0.8366 - f1-score (micro avg)  0.7625",
        [("loss", 10, 2.31), ("lr", 10, 0.1), ("dev loss", 10, 0.8366)],
    ),
    "Caffe": (
        "I0301 10:00:00.123456  1234 solver.cpp:228] Iteration 100, loss = 2.31\n"
        "I0301 10:00:09.123456  1234 solver.cpp:404]     Test net output #0: accuracy = 0.9012",
        [("loss", 100, 2.31), ("test accuracy", 100, 0.9012)],
    ),
    "nanotron": (
        "01/01/2024 10:00:00 [INFO|DP=0|PP=0|TP=0|host]: iteration: 10 / 15000 | consumed_tokens: 1.05M | lm_loss: 11 | lr: 3e-05 | "
        "model_tflops_per_gpu: 23.4 | grad_norm: 2.3",
        [("lm_loss", 10, 11), ("lr", 10, 3e-05), ("grad_norm", 10, 2.3)],
    ),
    "icefall": (
        "2024-03-01 10:00:00,000 INFO [train.py:903] (0/4) Epoch 1, batch 50, loss[loss=1.2, simple_loss=0.9, over 2345.00 frames. ], "
        "tot_loss[loss=1.5, simple_loss=1.1, over 468000.00 frames. ], batch size: 30, lr: 3.00e-03",
        [("loss", 50, 1.5), ("simple_loss", 50, 1.1), ("lr", 50, 0.003)],
    ),
    "MXNet": (
        "INFO:root:Epoch[0] Batch [100]\tSpeed: 1000.1 samples/sec\taccuracy=0.5\nINFO:root:Epoch[0] Validation-accuracy=0.7",
        [("accuracy", 100, 0.5), ("Validation-accuracy", 100, 0.7)],
    ),
    "Chinese": (
        "2024-03-01 10:00:00 [训练] 轮次: 3/10 步数: 200 损失: 0.5123 学习率: 1e-4",
        [("损失", 200, 0.5123), ("学习率", 200, 1e-4)],
    ),
    "Chinese, by epochs": (
        "第3轮 训练损失=0.5 验证准确率=88.2%\n第 4 / 9 轮:训练集损失：0.45，验证集损失：0,55",
        [("训练损失", 3, 0.5), ("验证准确率", 3, 88.2), ("训练集损失", 4, 0.45), ("验证集损失", 4, 0.55)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("trainer", sorted(OUTPUTS))
def test_what_it_prints(trainer: str) -> None:
    text, points = OUTPUTS[trainer]
    assert repr(said(text)) == repr([(name, float(x), float(value)) for name, x, value in points])  # nan is nan
